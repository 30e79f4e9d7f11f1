// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/megatron_launch.h"

#include "model/base/integers.h"
#include "model/formats/shell_environment.h"

#include <algorithm>
#include <initializer_list>

namespace clusterbeat {
namespace {

using Count = std::optional<std::int64_t>;

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// What a launcher or a batch system says; processes are one a GPU unless another launcher stands between.
struct Request {
    Count servers, tasks, tasksPerServer, gpusPerServer, gpus, gpusPerTask;
};

/// What torchrun, deepspeed or accelerate say.
struct Starter {
    bool present = false;
    Count servers, perServer, gpus;
};

enum class Launcher { None, Slurm, Mpi, Torch, DeepSpeed, Accelerate, Jsrun, Aprun, Flux };

Launcher launcherOf(std::string_view word)
{
    const std::string_view name = word.substr(word.find_last_of('/') == std::string_view::npos ? 0 : word.find_last_of('/') + 1);
    if (isOneOf(name, {"srun", "sbatch", "salloc"})) return Launcher::Slurm;
    if (isOneOf(name, {"mpirun", "mpiexec", "mpiexec.hydra", "orterun", "prun"})) return Launcher::Mpi;
    if (isOneOf(name, {"torchrun", "torch.distributed.run", "torch.distributed.launch"})) return Launcher::Torch;
    if (isOneOf(name, {"deepspeed", "deepspeed.launcher.runner", "ds"})) return Launcher::DeepSpeed;
    if (name == "accelerate") return Launcher::Accelerate;
    if (name == "jsrun") return Launcher::Jsrun;
    if (name == "aprun") return Launcher::Aprun;
    if (name == "flux") return Launcher::Flux;
    return Launcher::None;
}

Count product(Count left, Count right) { return left && right ? Count(saturatingProduct(*left, *right)) : std::nullopt; }

/// Hosts of a list "a:8,b:8" and the slots of the first.
void readHosts(const std::string &value, Request &request)
{
    if (value.empty() || unresolvedName(value)) return;
    request.servers = 1 + static_cast<std::int64_t>(std::count(value.begin(), value.end(), ','));
    const std::string first = value.substr(0, value.find(','));
    if (first.find(':') != std::string::npos) request.tasksPerServer = lastNumber(first.substr(first.find(':')));
}

/// --include host:0,1,2@host2:0,1,2
void readIncluded(const std::string &value, Starter &starter)
{
    if (value.empty() || unresolvedName(value)) return;
    starter.servers = 1 + static_cast<std::int64_t>(std::count(value.begin(), value.end(), '@'));
    const std::string first = value.substr(0, value.find('@'));
    if (first.find(':') != std::string::npos) starter.perServer = 1 + static_cast<std::int64_t>(std::count(first.begin(), first.end(), ','));
}

class Reader {
public:
    explicit Reader(ImportNotes &notes) : m_notes(notes) {}

    void slurm(const std::string &name, const std::string &value, Request &request)
    {
        if (isOneOf(name, {"-N", "--nodes"})) request.servers = number(value);
        else if (isOneOf(name, {"-n", "--ntasks"})) request.tasks = number(value);
        else if (isOneOf(name, {"--ntasks-per-node", "--tasks-per-node"})) request.tasksPerServer = number(value);
        else if (name == "--gpus-per-node" || (name == "--gres" && value.find("gpu") != std::string::npos)) request.gpusPerServer = number(value);
        else if (isOneOf(name, {"-G", "--gpus"})) request.gpus = number(value);
        else if (name == "--gpus-per-task") request.gpusPerTask = number(value);
    }

    void pbs(const std::string &name, const std::string &value, Request &request)
    {
        if (name != "PBS -l") return;
        // select=2:ncpus=8:ngpus=4 or nodes=2:ppn=8:gpus=4
        for (std::size_t start = 0; start < value.size();) {
            const std::size_t end = std::min(value.find_first_of(":,", start), value.size());
            const std::string part = value.substr(start, end - start);
            const std::size_t equals = part.find('=');
            const std::string key = part.substr(0, equals), text = equals == std::string::npos ? std::string() : part.substr(equals + 1);
            if (key == "select" || key == "nodes") request.servers = number(text);
            else if (key == "ngpus" || key == "gpus") request.gpusPerServer = number(text);
            else if (key == "mpiprocs" || key == "ppn") request.tasksPerServer = number(text);
            start = end + 1;
        }
    }

    void mpi(const std::string &name, const std::string &value, Request &request)
    {
        if (isOneOf(name, {"-np", "-n", "--np", "-c", "--n"})) request.tasks = number(value);
        else if (isOneOf(name, {"-npernode", "--npernode", "-N", "-ppn", "--ppn", "-perhost", "--perhost"})) request.tasksPerServer = number(value);
        else if (isOneOf(name, {"-map-by", "--map-by"}) && value.starts_with("ppr:")) request.tasksPerServer = number(value.substr(0, value.find(':', 4)));
        else if (isOneOf(name, {"-H", "-host", "--host", "-hosts", "--hosts"})) readHosts(value, request);
    }

    /// torchrun, deepspeed, accelerate: - and _ are the same.
    void starter(Launcher launcher, std::string name, const std::string &value, Starter &starter)
    {
        std::replace(name.begin(), name.end(), '_', '-');
        // torchrun's own words for the GPUs that a server has
        const bool ofMachine = isOneOf(value, {"gpu", "auto", "cpu", "xpu"});
        if (launcher == Launcher::Torch && name == "--nproc-per-node") starter.perServer = ofMachine ? std::nullopt : number(value);
        else if (launcher == Launcher::Torch && name == "--nnodes") starter.servers = number(value);
        else if (launcher == Launcher::DeepSpeed && name == "--num-gpus") starter.perServer = number(value);
        else if (launcher == Launcher::DeepSpeed && name == "--num-nodes") starter.servers = number(value);
        else if (launcher == Launcher::DeepSpeed && isOneOf(name, {"--include", "-i"})) readIncluded(value, starter);
        else if (launcher == Launcher::Accelerate && name == "--num-processes") starter.gpus = number(value);
        else if (launcher == Launcher::Accelerate && name == "--num-machines") starter.servers = number(value);
    }

    void otherOption(Launcher launcher, const std::string &name, const std::string &value, Request &request)
    {
        if (launcher == Launcher::Jsrun) {
            if (isOneOf(name, {"-n", "--nrs"})) request.tasks = number(value);
            else if (isOneOf(name, {"-g", "--gpu_per_rs"})) request.gpusPerTask = number(value);
        } else if (launcher == Launcher::Aprun) {
            if (name == "-n") request.tasks = number(value);
            else if (name == "-N") request.tasksPerServer = number(value);
        } else if (launcher == Launcher::Flux) {
            if (isOneOf(name, {"-N", "--nodes"})) request.servers = number(value);
            else if (isOneOf(name, {"-n", "--ntasks"})) request.tasks = number(value);
            else if (isOneOf(name, {"-g", "--gpus-per-task"})) request.gpusPerTask = number(value);
        }
    }

    /// The words in front of the training's own options.
    void command(const std::vector<std::string> &words, Request &request, Starter &started)
    {
        Launcher launcher = Launcher::None;
        for (std::size_t i = 0; i < words.size() && !words[i].ends_with(".py"); ++i) {
            const std::string &word = words[i];
            if (word.size() < 2 || word[0] != '-') {
                const Launcher next = launcherOf(word);
                if (next == Launcher::None) continue;
                launcher = next;
                started.present = started.present || isStarter(launcher);
                continue;
            }
            const std::size_t equals = word.find('=');
            const bool glued = word.size() > 2 && word[1] != '-' && word[2] >= '0' && word[2] <= '9'; // -N2
            const std::string name = glued ? word.substr(0, 2) : word.substr(0, equals);
            std::string value = glued ? word.substr(2) : equals == std::string::npos ? std::string() : word.substr(equals + 1);
            if (value.empty() && i + 1 < words.size() && !words[i + 1].starts_with('-')) value = words[i + 1];
            if (launcher == Launcher::None) unnamed(name, value, started);
            else if (isStarter(launcher)) starter(launcher, name, value, started);
            else if (launcher == Launcher::Slurm) slurm(name, value, request);
            else if (launcher == Launcher::Mpi) mpi(name, value, request);
            else otherOption(launcher, name, value, request);
        }
    }

private:
    /// Options of a starter whose own word is not there: a bare list, $LAUNCHER.
    void unnamed(std::string name, const std::string &value, Starter &started)
    {
        std::replace(name.begin(), name.end(), '_', '-');
        const bool torch = name == "--nproc-per-node" || name == "--nnodes";
        if (!torch && name != "--num-gpus" && name != "--num-nodes") return;
        started.present = true;
        starter(torch ? Launcher::Torch : Launcher::DeepSpeed, name, value, started);
    }

    static bool isStarter(Launcher launcher) { return launcher == Launcher::Torch || launcher == Launcher::DeepSpeed || launcher == Launcher::Accelerate; }

    Count number(const std::string &value)
    {
        if (const auto name = unresolvedName(value)) {
            m_notes.unresolved(*name);
            return std::nullopt;
        }
        return lastNumber(value);
    }

    ImportNotes &m_notes;
};

/// The launcher's count before the batch system's.
Count pick(const Count &launcher, const Count &batch, bool &fromBatch)
{
    fromBatch = !launcher && batch;
    return launcher ? launcher : batch;
}

} // namespace

std::optional<std::int64_t> lastNumber(std::string_view text)
{
    const std::size_t end = text.find_last_of("0123456789");
    if (end == std::string_view::npos) return std::nullopt;
    const std::size_t before = text.substr(0, end + 1).find_last_not_of("0123456789");
    const std::string_view digits = text.substr(before == std::string_view::npos ? 0 : before + 1, end - (before == std::string_view::npos ? 0 : before + 1) + 1);
    if (digits.size() > 7) return std::nullopt;
    std::int64_t value = 0;
    for (const char c : digits)
        value = value * 10 + (c - '0');
    return value > 0 ? std::optional(value) : std::nullopt;
}

LauncherCounts readLaunchers(const std::vector<std::string> &words, const ShellScript &script, ImportNotes &notes)
{
    Reader reader(notes);
    Request outer, batch;
    Starter started;
    reader.command(words, outer, started);
    for (const auto &[name, value] : script.batchOptions) {
        if (name.starts_with("PBS ")) reader.pbs(name, value, batch);
        else reader.slurm(name, value, batch);
    }

    LauncherCounts counts;
    bool tasksFromBatch = false, perTaskFromBatch = false;
    counts.servers = pick(outer.servers, batch.servers, counts.serversFromBatch);
    Count tasks = pick(outer.tasks, batch.tasks, tasksFromBatch);
    const Count gpusPerTask = pick(outer.gpusPerTask, batch.gpusPerTask, perTaskFromBatch);
    Count tasksPerServer = outer.tasksPerServer ? outer.tasksPerServer : batch.tasksPerServer;
    counts.perServer = pick(outer.gpusPerServer, batch.gpusPerServer, counts.perServerFromBatch);
    if (started.present) { // one task a server starts one process a GPU
        if (!counts.servers && tasks && tasksPerServer.value_or(1) == 1) {
            counts.servers = tasks;
            counts.serversFromBatch = tasksFromBatch;
        }
        if (started.servers) counts.serversFromBatch = false;
        if (started.perServer) counts.perServerFromBatch = false;
        counts.servers = started.servers ? started.servers : counts.servers;
        counts.perServer = started.perServer ? started.perServer : counts.perServer;
        counts.gpus = started.gpus;
        return counts;
    }
    if (tasksPerServer == 1 || (tasks && counts.servers && *tasks == *counts.servers && !tasksPerServer)) { // a launcher that is not in sight
        tasksPerServer.reset();
        if (tasks == counts.servers) tasks.reset();
    }
    if (!counts.perServer && tasksPerServer) {
        counts.perServer = gpusPerTask ? product(tasksPerServer, gpusPerTask) : tasksPerServer;
        counts.perServerFromBatch = !outer.tasksPerServer;
    }
    if (counts.servers && counts.perServer) return counts;
    counts.gpus = pick(outer.gpus, batch.gpus, counts.gpusFromBatch);
    if (!counts.gpus && tasks) {
        counts.gpus = gpusPerTask ? product(tasks, gpusPerTask) : tasks;
        counts.gpusFromBatch = tasksFromBatch;
    }
    return counts;
}

} // namespace clusterbeat
