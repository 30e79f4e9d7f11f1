namespace clusterbeat { extern const int kDummy; const int kDummy = 0; }
