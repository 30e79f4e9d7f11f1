// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// Every size that a file can ask for is bounded before memory is taken: each key at its smallest and largest, pairs and
// handfuls of keys, lists of thousands, drawings of millions. Each is answered or refused, and all of them one after the
// other leave the process below 1 GB. A case that does not end is ended by the test's time limit.
#include "model/base/random.h"
#include "model/iteration/result_json.h"
#include "model/iteration/simulate.h"
#include "model/scenario/scenario_json.h"
#include "tests/model/iteration/random_scenarios.h"

#include <QtTest>

#include <sys/resource.h>

using namespace clusterbeat;

namespace {

const Catalogue &catalogue()
{
    static const Catalogue loaded = loadCatalogue().value();
    return loaded;
}

struct Key {
    const char *pointer;
    std::vector<const char *> values;
};
/// Every key that says how much of something there is, at the ends of its range and where it is largest in practice.
const std::vector<Key> kKeys{
    {"/model/layers", {"1", "128", "10000"}},
    {"/model/hidden", {"1", "1024", "1000000"}},
    {"/model/ffn_hidden", {"1", "1000000"}},
    {"/model/heads", {"1", "64", "100000"}},
    {"/model/head_dim", {"1", "1000000"}},
    {"/model/vocab", {"1", "100000000"}},
    {"/model/mtp_layers", {"100"}},
    {"/model/moe", {R"({"experts":100000,"top_k":1,"expert_ffn_hidden":1})", R"({"experts":100000,"top_k":100000,"expert_ffn_hidden":1000000})",
                    R"({"experts":1024,"top_k":8,"expert_ffn_hidden":1024,"every":10000})"}},
    {"/training/sequence_length", {"1", "1048576", "100000000"}},
    {"/training/global_batch", {"1", "65536", "1048576", "100000000"}},
    {"/training/micro_batch", {"4", "100000"}},
    {"/training/offload_layers", {"10"}},
    {"/layout/tensor", {"1", "64", "1024", "1000000"}},
    {"/layout/pipeline", {"1", "128", "4096", "1000000"}},
    {"/layout/context", {"64", "4096"}},
    {"/layout/expert", {"64", "1024"}},
    {"/layout/data", {"1", "65536", "1000000"}},
    {"/layout/virtual_pipeline", {"2", "100", "10000", "\"max\""}},
    {"/layout/schedule", {"\"zb-auto\"", "\"zb-v\"", "\"dualpipe\"", "\"gpipe\"", "\"interleaved\""}},
    {"/layout/zero_stage", {"3"}},
    {"/layout/micro_batch_group", {"1000000"}},
    {"/cluster/gpus", {"1", "8192", "262144", "1000000000"}},
    {"/cluster/gpus_per_server", {"1", "1024", "262144"}},
    {"/cluster/scaleup_domain", {"1", "1024", "262144"}},
    {"/cluster/servers_per_rack", {"1", "262144"}},
    {"/cluster/racks_per_pod", {"1", "262144"}},
    {"/cluster/gpus_used_per_domain", {"1"}},
    {"/cluster/ecmp", {"\"hash\""}}};

enum class Answer { Answered, Refused };

/// The whole way of a file: read, simulated, printed.
Answer answer(const std::string &preset, const std::vector<std::string> &edits)
{
    std::vector<PointerEdit> parsed;
    for (const std::string &edit : edits) parsed.push_back(parsePointerEdit(edit).value());
    const auto scenario = readPreset(preset, catalogue(), parsed);
    if (!scenario.ok()) return Answer::Refused;
    StageCache cache;
    const auto outcome = simulate(scenario.value(), catalogue(), cache);
    if (!outcome.result) return Answer::Refused;
    return resultJson(*outcome.result, nullptr, &catalogue().constants).empty() ? Answer::Refused : Answer::Answered;
}

std::string repeated(int times, const std::function<std::string(int)> &item)
{
    std::string list = "/perturbations=[";
    for (int i = 0; i < times; ++i) list += (i == 0 ? "" : ",") + item(i);
    return list + "]";
}
std::string number(int i) { return std::to_string(i); }

double peakMegabytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

std::string drawing(const std::string &nodes, const std::string &links)
{
    return R"(/cluster={"blueprint":{"nodes":[{"id":"site","kind":"site"},)" + nodes + R"(],"links":[)" + links + "]}}";
}

} // namespace

class TestSizeBounds final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eachKey();
    void severalKeys();
    void longSchedules();
    void lists_data();
    void lists();
    void drawings_data();
    void drawings();
    void cleanupTestCase();
};

void TestSizeBounds::eachKey()
{
    int answered = 0, refused = 0;
    for (const Key &key : kKeys)
        for (const char *value : key.values)
            (answer("llama3-8b-64", {std::string(key.pointer) + "=" + value}) == Answer::Answered ? answered : refused) += 1;
    QVERIFY2(answered >= 20 && refused >= 20, qPrintable(QStringLiteral("%1 %2").arg(answered).arg(refused)));
}

void TestSizeBounds::severalKeys()
{
    int answered = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        Draws draw(seed + 31);
        std::vector<std::string> edits;
        const std::int64_t count = seed % 3 == 0 ? draw.whole(3, 7) : 2;
        for (std::int64_t i = 0; i < count; ++i) {
            const Key &key = kKeys[static_cast<std::size_t>(draw.whole(0, static_cast<std::int64_t>(kKeys.size()) - 1))];
            edits.push_back(std::string(key.pointer) + "=" + key.values[static_cast<std::size_t>(draw.whole(0, static_cast<std::int64_t>(key.values.size()) - 1))]);
        }
        answered += answer("llama3-8b-64", edits) == Answer::Answered ? 1 : 0;
    }
    QVERIFY2(answered >= 10, qPrintable(QString::number(answered)));
}

// 60 million micro-batches on one rank are refused; 900,000, which is 1.8 million operations, are simulated.
void TestSizeBounds::longSchedules()
{
    const std::vector<std::string> alone{"/layout/data=1", "/layout/tensor=2"};
    const auto batches = [&](const char *count) { return answer("llama3-8b-64", {alone[0], alone[1], std::string("/training/global_batch=") + count}); };
    QVERIFY(batches("60000000") == Answer::Refused);
    QVERIFY(batches("900000") == Answer::Answered);
}

// On 16,384 GPUs; `answered` where the list is what people have: one entry for each of thousands of links, hosts or GPUs.
void TestSizeBounds::lists_data()
{
    QTest::addColumn<QString>("list");
    QTest::addColumn<bool>("answered");
    const auto row = [](const char *name, bool answered, int times, const std::function<std::string(int)> &item) {
        QTest::newRow(name) << QString::fromStdString(repeated(times, item)) << answered;
    };
    const auto each = [](const char *head, const char *tail, const char *target = "rank:") {
        return [=](int i) { return std::string(R"({"kind":)") + head + R"(,"target":")" + target + number(i) + "\"" + tail + "}"; };
    };
    row("a link of each GPU", true, 9000, each(R"("degraded_link","link":"nic")", R"(,"capacity":0.5)"));
    row("each by path", true, 9000, [](int i) {
        return R"({"kind":"degraded_link","target":"pod.)" + number(i / 3072) + "/rack." + number(i % 3072 / 16) + "/server." + number(i % 16 / 8) + "/gpu." +
               number(i % 8) + R"(","link":"nic","capacity":0.5})";
    });
    row("each of its own capacity", true, 9000, [](int i) {
        return R"({"kind":"degraded_link","target":"rank:)" + number(i) + R"(","link":"nvlink","capacity":0.5)" + number(10000 + i) + "}";
    });
    row("with the other end", true, 3000, [](int i) {
        const std::string rack = "pod.0/rack." + number(i % 192);
        return R"({"kind":"degraded_link","link":"nic","capacity":0.5,"target":")" + rack + R"(/server.0/gpu.0","to":")" + rack + "/leaf.0\"}";
    });
    row("every link thousands of times", false, 9000, [](int) { return R"({"kind":"degraded_link","target":"**","link":"nic","capacity":0.9})"; });
    row("random links", false, 9000, each(R"("degraded_link","link":"nic")", R"(,"capacity":0.5)", "random:100 seed:"));
    row("other traffic", true, 9000, each(R"("competing_traffic","link":"nic")", R"(,"share":0.1)"));
    row("slow GPUs", true, 12000, each(R"("slow_gpu")", R"(,"speed":0.5)"));
    row("random slow GPUs", false, 12000, each(R"("slow_gpu")", R"(,"speed":0.5)", "random:10000 seed:"));
    row("five hundred pauses", true, 500, [](int i) { return R"({"kind":"gc_pause","pause_s":0.001,"every_s":0.01,"seed":)" + number(i) + "}"; });
    row("two thousand", true, 2000, [](int i) { return R"({"kind":"gc_pause","pause_s":0.001,"every_s":0.01,"seed":)" + number(i) + "}"; });
    row("of each host", true, 12000, each(R"("gc_pause","pause_s":0.001,"every_s":0.01)", ""));
    row("too many", false, 15000, [](int i) { return R"({"kind":"gc_pause","pause_s":0.001,"every_s":0.01,"seed":)" + number(i) + "}"; });
    row("jitters", false, 1000, [](int i) { return R"({"kind":"jitter","sigma":0.02,"seed":)" + number(i) + "}"; });
    row("of each GPU", false, 12000, each(R"("jitter","sigma":0.02)", ""));
    row("warm-ups of each GPU", false, 12000, each(R"("warm_up","operations":3,"speed":0.5)", ""));
    row("documents", false, 10000, [](int i) { return R"({"kind":"document_imbalance","sigma":0.2,"seed":)" + number(i) + "}"; });
    row("stores", true, 8000, [](int i) { return std::string(i == 0 ? R"({"kind":"checkpoint","stall_s":1})" : R"({"kind":"slow_storage","speed":0.999})"); });
}

void TestSizeBounds::lists()
{
    QFETCH(const QString, list);
    QFETCH(const bool, answered);
    QCOMPARE(answer("llama3-405b-16k", {list.toStdString()}) == Answer::Answered, answered);
}

void TestSizeBounds::drawings_data()
{
    QTest::addColumn<QString>("cluster");
    const auto row = [](const char *name, const std::string &nodes, const std::string &links) { QTest::newRow(name) << QString::fromStdString(drawing(nodes, links)); };
    const auto node = [](const std::string &id, const char *kind, const std::string &parent, int count) {
        return R"({"id":")" + id + R"(","kind":")" + kind + R"(","parent":")" + parent + R"(","count":)" + number(count) + "}";
    };
    const auto link = [](const std::string &id, const char *from, const char *to, const char *pattern) {
        return R"({"id":")" + id + R"(","from":")" + from + R"(","to":")" + to + R"(","gbps":100,"pattern":")" + pattern + "\"}";
    };
    const std::string eight = node("server", "server", "site", 1) + "," + node("gpu", "gpu", "server", 8);
    std::string switches = eight, chain = node("n0", "rack", "site", 1), cables;
    for (int i = 0; i < 200; ++i) switches += "," + node("sw" + number(i), "leaf", "site", 1'000'000);
    for (int i = 1; i < 4000; ++i) chain += "," + node("n" + number(i), "rack", "n" + number(i - 1), 1);
    for (int i = 0; i < 3900; ++i) cables += (i == 0 ? "" : ",") + link("l" + number(i), "gpu", "leaf", "stripe");
    row("switches without GPUs", switches, "");
    row("two million switches", eight + "," + node("leaf", "leaf", "site", 1'000'000) + "," + node("spine", "spine", "site", 1'000'000), "");
    row("every switch with every other", eight + "," + node("leaf", "leaf", "site", 2800) + "," + node("spine", "spine", "site", 2800), link("x", "leaf", "spine", "all"));
    row("every GPU with every other", node("server", "server", "site", 1) + "," + node("gpu", "gpu", "server", 2800), link("x", "gpu", "gpu", "all"));
    row("a GPU with a million NICs", eight + "," + node("nic", "nic", "server", 250'000), link("x", "gpu", "nic", "all"));
    row("four thousand inside each other", chain + "," + node("server", "server", "n3999", 2) + "," + node("gpu", "gpu", "server", 8), "");
    row("four thousand cables to each GPU", node("server", "server", "site", 4096) + "," + node("gpu", "gpu", "server", 8) + "," + node("leaf", "leaf", "site", 8), cables);
}

// Answered or refused; the rest is in the time limit and in the peak of memory.
void TestSizeBounds::drawings()
{
    QFETCH(const QString, cluster);
    answer("llama3-8b-64", {cluster.toStdString()});
    QVERIFY(peakMegabytes() > 0.0);
}

void TestSizeBounds::cleanupTestCase()
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    QVERIFY2(peakMegabytes() < 1000.0, qPrintable(QString::number(peakMegabytes())));
#endif
}

QTEST_APPLESS_MAIN(TestSizeBounds)
#include "tst_size_bounds.moc"
