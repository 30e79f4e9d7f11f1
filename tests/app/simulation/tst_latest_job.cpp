// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/simulation/latest_job.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QStringList>
#include <QtTest>

using namespace clusterbeat;

class TestLatestJob final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Reports come in the thread of the job, in order, before its end.
    void reportsComeHome()
    {
        LatestJob job;
        QStringList heard;
        connect(&job, &LatestJob::ended, this, [&] { heard << QStringLiteral("end"); });
        bool here = true;
        job.start([&](const std::stop_token &, const LatestJob::Report &report) {
            for (const int i : {1, 2, 3})
                report([&, i] {
                    here = here && QThread::currentThread() == thread();
                    heard << QString::number(i);
                });
        });
        QVERIFY(job.busy());
        QTRY_VERIFY(!job.busy());
        QCOMPARE(heard, (QStringList{QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("3"), QStringLiteral("end")}));
        QVERIFY(here);
    }

    // The newest of those that wait is run, those before it are stopped and never heard of again.
    void theNewestWins()
    {
        LatestJob job;
        QSignalSpy ends(&job, &LatestJob::ended);
        QSemaphore started;
        QStringList heard;
        const auto work = [&](const QString &name, bool waits) {
            return [&heard, &started, name, waits](const std::stop_token &stop, const LatestJob::Report &report) {
                report([&heard, name] { heard << name; });
                started.release();
                while (waits && !stop.stop_requested()) QThread::msleep(1);
                report([&heard, name] { heard << name + QStringLiteral(" late"); });
            };
        };
        job.start(work(QStringLiteral("first"), true));
        started.acquire();
        job.start(work(QStringLiteral("second"), false));
        job.start(work(QStringLiteral("third"), false));
        QTRY_VERIFY(!job.busy());
        QCOMPARE(heard, (QStringList{QStringLiteral("third"), QStringLiteral("third late")}));
        QCOMPARE(ends.size(), 1);
    }

    // Cancelled: ended at once, silent from then on, ready for more. An exception ends the work, too.
    void cancelAndExceptionsEndIt()
    {
        LatestJob job;
        QSignalSpy ends(&job, &LatestJob::ended);
        QSemaphore started;
        int heard = 0;
        job.start([&](const std::stop_token &stop, const LatestJob::Report &report) {
            started.release();
            while (!stop.stop_requested()) QThread::msleep(1);
            report([&heard] { ++heard; });
        });
        started.acquire();
        job.cancel();
        QVERIFY(!job.busy());
        QCOMPARE(ends.size(), 1);
        job.start([](const std::stop_token &, const LatestJob::Report &) { throw std::runtime_error("x"); });
        QTRY_VERIFY(!job.busy());
        QCOMPARE(ends.size(), 2);
        QCOMPARE(heard, 0);
    }
};

QTEST_GUILESS_MAIN(TestLatestJob)
#include "tst_latest_job.moc"
