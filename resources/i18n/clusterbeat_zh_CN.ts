<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en_US">
<context>
    <name>Communication</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Meanwhile: %1</source>
        <translation>同时运行：%1</translation>
    </message>
    <message>
        <source>Meanwhile: %1 to %2</source>
        <translation>同时运行：%1 至 %2</translation>
    </message>
    <message>
        <source>NVLink</source>
        <translation>NVLink</translation>
    </message>
    <message>
        <source>PCI Express</source>
        <translation>PCI Express</translation>
    </message>
    <message>
        <source>NIC</source>
        <translation>网卡</translation>
    </message>
    <message>
        <source>leaf to spine</source>
        <translation>叶—脊</translation>
    </message>
    <message>
        <source>spine to core</source>
        <translation>脊—核心</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1; slowest link: %2</source>
        <translation>%1；最慢链路：%2</translation>
    </message>
    <message>
        <source>Parameter all-gather, chunk %1</source>
        <translation>参数 all-gather，块 %1</translation>
    </message>
    <message>
        <source>Gradient all-reduce, chunk %1</source>
        <translation>梯度 all-reduce，块 %1</translation>
    </message>
    <message>
        <source>Gradient reduce-scatter, chunk %1</source>
        <translation>梯度 reduce-scatter，块 %1</translation>
    </message>
    <message>
        <source>Sends activations, micro-batch %1, chunk %2</source>
        <translation>发送激活值，微批 %1，块 %2</translation>
    </message>
    <message>
        <source>Sends gradients, micro-batch %1, chunk %2</source>
        <translation>发送梯度，微批 %1，块 %2</translation>
    </message>
    <message>
        <source>Stage %1: %2 from %3</source>
        <translation>第 %1 级：%2，自 %3</translation>
    </message>
    <message>
        <source>At the receiver: %1 behind compute, %2 exposed, %3 beside other waits</source>
        <translation>接收端：%1 被计算掩盖，%2 未掩盖，%3 与其他等待同时</translation>
    </message>
    <message>
        <source>%1 hidden behind compute, %2 exposed, %3 beside other waits</source>
        <translation>%1 被计算掩盖，%2 未掩盖，%3 与其他等待同时</translation>
    </message>
</context>
<context>
    <name>Errors</name>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>null</source>
        <translation>null</translation>
    </message>
    <message>
        <source>preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>accelerator</source>
        <translation>加速器</translation>
    </message>
    <message>
        <source>software profile</source>
        <translation>软件配置</translation>
    </message>
    <message>
        <source>schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>cluster template</source>
        <translation>集群模板</translation>
    </message>
    <message>
        <source>There is no file “%1”.</source>
        <translation>没有文件“%1”。</translation>
    </message>
    <message>
        <source>Check the path, or use preset:NAME for a built-in scenario.</source>
        <translation>请检查路径，或用 preset:名称 打开内置场景。</translation>
    </message>
    <message>
        <source>“%1” is not a file.</source>
        <translation>“%1”不是文件。</translation>
    </message>
    <message>
        <source>Name a file, not a folder or a device.</source>
        <translation>请给出文件，而不是文件夹或设备。</translation>
    </message>
    <message>
        <source>“%1” cannot be read.</source>
        <translation>无法读取“%1”。</translation>
    </message>
    <message>
        <source>Check its permissions.</source>
        <translation>请检查其权限。</translation>
    </message>
    <message>
        <source>“%1” cannot be written.</source>
        <translation>无法写入“%1”。</translation>
    </message>
    <message>
        <source>Check the folder&apos;s permissions and free space, or choose another place.</source>
        <translation>请检查文件夹的权限和剩余空间，或换一个位置。</translation>
    </message>
    <message>
        <source>“%1” is empty.</source>
        <translation>“%1”是空文件。</translation>
    </message>
    <message>
        <source>Choose a file that holds something.</source>
        <translation>请选择有内容的文件。</translation>
    </message>
    <message>
        <source>“%1” is too large: %2, the limit is %3.</source>
        <translation>“%1”过大：%2，上限为 %3。</translation>
    </message>
    <message>
        <source>A scenario is a few kilobytes; this is probably another kind of file.</source>
        <translation>场景文件只有几 KB，这可能是另一种文件。</translation>
    </message>
    <message>
        <source>The format of “%1” is not known.</source>
        <translation>无法识别“%1”的格式。</translation>
    </message>
    <message>
        <source>This is not valid JSON: %1.</source>
        <translation>这不是有效的 JSON：%1。</translation>
    </message>
    <message>
        <source>Correct the text at this place.</source>
        <translation>请更正此处的文本。</translation>
    </message>
    <message>
        <source>Objects and lists are nested more than %1 deep.</source>
        <translation>对象和列表的嵌套超过 %1 层。</translation>
    </message>
    <message>
        <source>A scenario needs only a few levels.</source>
        <translation>场景只需要几层嵌套。</translation>
    </message>
    <message>
        <source>The key “%1” is there twice.</source>
        <translation>键“%1”出现了两次。</translation>
    </message>
    <message>
        <source>Remove one of them.</source>
        <translation>请删除其中一个。</translation>
    </message>
    <message>
        <source>The key “%1” is not known.</source>
        <translation>没有键“%1”。</translation>
    </message>
    <message>
        <source>Remove it, or check its spelling.</source>
        <translation>请删除它，或检查拼写。</translation>
    </message>
    <message>
        <source>Did you mean “%2”?</source>
        <translation>是否想写“%2”？</translation>
    </message>
    <message>
        <source>The key “%1” is missing.</source>
        <translation>缺少键“%1”。</translation>
    </message>
    <message>
        <source>Add it.</source>
        <translation>请补上。</translation>
    </message>
    <message>
        <source>Found %1 where %2 belongs.</source>
        <translation>此处应为%2，却是%1。</translation>
    </message>
    <message>
        <source>Write %2.</source>
        <translation>请写成%2。</translation>
    </message>
    <message>
        <source>%1 is not a whole number.</source>
        <translation>%1 不是整数。</translation>
    </message>
    <message>
        <source>Write it without a fraction.</source>
        <translation>请去掉小数部分。</translation>
    </message>
    <message>
        <source>%1 is out of range.</source>
        <translation>%1 超出范围。</translation>
    </message>
    <message>
        <source>Choose a value from %2 to %3.</source>
        <translation>请选择 %2 到 %3 之间的值。</translation>
    </message>
    <message>
        <source>There is no %2 “%1”.</source>
        <translation>没有名为“%1”的%2。</translation>
    </message>
    <message>
        <source>Check its spelling.</source>
        <translation>请检查拼写。</translation>
    </message>
    <message>
        <source>Did you mean “%3”?</source>
        <translation>是否想写“%3”？</translation>
    </message>
    <message>
        <source>The file has version %1; this program knows versions up to %2.</source>
        <translation>文件版本为 %1，本程序最高支持版本 %2。</translation>
    </message>
    <message>
        <source>Open it with a newer Clusterbeat.</source>
        <translation>请用更新的 Clusterbeat 打开。</translation>
    </message>
    <message>
        <source>This is not a Clusterbeat scenario.</source>
        <translation>这不是 Clusterbeat 场景。</translation>
    </message>
    <message>
        <source>A scenario starts with &quot;clusterbeat&quot;: 1; use import for other formats.</source>
        <translation>场景以 &quot;clusterbeat&quot;: 1 开头；其他格式请用导入。</translation>
    </message>
    <message>
        <source>“%1” is not a JSON pointer to a place in the scenario.</source>
        <translation>“%1”不是指向场景中某处的 JSON 指针。</translation>
    </message>
    <message>
        <source>Known are %4.</source>
        <translation>已知的有 %4。</translation>
    </message>
    <message>
        <source>“%1” gives no value.</source>
        <translation>“%1” 没有给出值。</translation>
    </message>
    <message>
        <source>Write a place and its value like /layout/tensor=8.</source>
        <translation>请写成 /layout/tensor=8 这样的位置和值。</translation>
    </message>
    <message>
        <source>Write it like /layout/tensor.</source>
        <translation>请写成 /layout/tensor 这样的形式。</translation>
    </message>
    <message>
        <source>The layout needs %1 GPUs (tensor %3 × pipeline %4 × context %5 × data %6); the cluster has %2.</source>
        <translation>该布局需要 %1 张 GPU（张量 %3 × 流水线 %4 × 上下文 %5 × 数据 %6），集群只有 %2 张。</translation>
    </message>
    <message>
        <source>Lower a degree, or add GPUs.</source>
        <translation>请降低某个并行度，或增加 GPU。</translation>
    </message>
    <message>
        <source>A global batch of %1 cannot be split into micro-batches: it is not a multiple of %2 (data × micro-batch).</source>
        <translation>全局批大小 %1 无法切分为微批：它不是 %2（数据并行 × 微批）的倍数。</translation>
    </message>
    <message>
        <source>Choose a multiple of %2.</source>
        <translation>请选择 %2 的倍数。</translation>
    </message>
    <message>
        <source>%1 (%2) is not a multiple of %3 (%4).</source>
        <translation>%1（%2）不是 %3（%4）的倍数。</translation>
    </message>
    <message>
        <source>Change one of the two.</source>
        <translation>请改动其中之一。</translation>
    </message>
    <message>
        <source>“%1” names nothing in this cluster.</source>
        <translation>本集群中没有“%1”。</translation>
    </message>
    <message>
        <source>Write a path such as pod.0/rack.3/server.1/gpu.5, or a query such as rank:12.</source>
        <translation>请写路径，如 pod.0/rack.3/server.1/gpu.5，或查询，如 rank:12。</translation>
    </message>
    <message>
        <source>%1 cannot be simulated yet.</source>
        <translation>目前还不能模拟 %1。</translation>
    </message>
    <message>
        <source>Write %2</source>
        <translation>请写 %2</translation>
    </message>
    <message>
        <source>The file does not say “%1”, and it cannot be guessed.</source>
        <translation>文件没有给出“%1”，也无法推断。</translation>
    </message>
    <message>
        <source>Add it to the file.</source>
        <translation>请在文件中补上。</translation>
    </message>
    <message>
        <source>%1 GPUs are too many; the limit is %2.</source>
        <translation>%1 张 GPU 过多，上限为 %2。</translation>
    </message>
    <message>
        <source>Use a smaller cluster.</source>
        <translation>请用更小的集群。</translation>
    </message>
    <message>
        <source>Some GPUs of the layout have no network route to each other.</source>
        <translation>布局中有些 GPU 之间没有网络通路。</translation>
    </message>
    <message>
        <source>Link every GPU to a NIC, and every NIC to leaf and spine switches that meet.</source>
        <translation>请把每张 GPU 连到网卡，把每张网卡连到彼此相通的叶、脊交换机。</translation>
    </message>
    <message>
        <source>%1 (%2) contradicts %3 (%4).</source>
        <translation>%1（%2）与 %3（%4）矛盾。</translation>
    </message>
    <message>
        <source>Clusterbeat made a mistake: %1.</source>
        <translation>Clusterbeat 出错：%1。</translation>
    </message>
    <message>
        <source>Please report it with the scenario file.</source>
        <translation>请连同场景文件一起反馈。</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>%1 = %2 is a default.</source>
        <translation>%1 = %2 为默认值。</translation>
    </message>
    <message>
        <source>%1 = %2 is a default: %3.</source>
        <translation>%1 = %2 为默认值：%3。</translation>
    </message>
    <message>
        <source>The layout uses %1 of %2 GPUs; %3 are spares.</source>
        <translation>布局使用 %2 张 GPU 中的 %1 张，其余 %3 张备用。</translation>
    </message>
    <message>
        <source>%1 has no effect here and is ignored.</source>
        <translation>%1 在此无效，已忽略。</translation>
    </message>
    <message>
        <source>Virtual stages are off: %1.</source>
        <translation>虚拟流水级已关闭：%1。</translation>
    </message>
    <message>
        <source>%1 is an approximation.</source>
        <translation>%1 为近似处理。</translation>
    </message>
    <message>
        <source>Chosen layout: tensor %1 × pipeline %2 × data %3 on %4 GPUs.</source>
        <translation>选定的布局：张量 %1 × 流水线 %2 × 数据 %3，共 %4 张 GPU。</translation>
    </message>
    <message>
        <source>The variable %1 is not set in the file; what uses it is ignored.</source>
        <translation>文件中没有设置变量 %1，用到它的内容已忽略。</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>个注意力头</translation>
    </message>
    <message>
        <source>KV heads</source>
        <translation>个 KV 头</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>experts</source>
        <translation>个专家</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>%2 %1 are not a multiple of %4 (%3).</source>
        <translation>%2 %1不是 %4（%3）的倍数。</translation>
    </message>
    <message>
        <source>Correct the rank&apos;s order.</source>
        <translation>请改正该 rank 的顺序。</translation>
    </message>
    <message>
        <source>“%2” is there twice: it is cell %4 of rank %3, too (both from 0).</source>
        <translation>“%2”出现了两次：它也是 rank %3 的第 %4 个单元（均从 0 计）。</translation>
    </message>
    <message>
        <source>The operation “%2” is missing.</source>
        <translation>缺少操作“%2”。</translation>
    </message>
    <message>
        <source>Every part of the model needs F, and B or I and W, for every micro-batch.</source>
        <translation>模型的每个部分对每个微批都需要 F，以及 B 或 I 与 W。</translation>
    </message>
    <message>
        <source>“%2” stands before “%3”, whose result it needs.</source>
        <translation>“%2”排在“%3”之前，却需要后者的结果。</translation>
    </message>
    <message>
        <source>“%2” is in this rank&apos;s order, but rank %3 runs the same part of the model.</source>
        <translation>“%2”在该 rank 的顺序中，但 rank %3 也运行模型的同一部分。</translation>
    </message>
    <message>
        <source>Give each part to one rank, or, as DualPipe does, part g to the ranks g and p-1-g with half of the micro-batches each.</source>
        <translation>请把每个部分交给一个 rank；或如 DualPipe，把部分 g 交给 rank g 和 p-1-g，各处理一半微批。</translation>
    </message>
    <message>
        <source>This rank runs %3 parts of the model, rank 0 runs %4.</source>
        <translation>该 rank 运行模型的 %3 个部分，rank 0 运行 %4 个。</translation>
    </message>
    <message>
        <source>Give every rank the same number of parts.</source>
        <translation>请让每个 rank 的部分数相同。</translation>
    </message>
    <message>
        <source>The order cannot be run: “%2” waits for “%3”, and rank %4 does not get there: it is at “%5”.</source>
        <translation>该顺序无法执行：“%2”等待“%3”，而 rank %4 到不了那里：它停在“%5”。</translation>
    </message>
    <message>
        <source>A number in “%2” is too large.</source>
        <translation>“%2”中的数字太大。</translation>
    </message>
    <message>
        <source>“%2” is not a pipeline operation.</source>
        <translation>“%2”不是流水线操作。</translation>
    </message>
    <message>
        <source>Write part, F, B, I or W, micro-batch, such as 2F0; an overlapped pair as (0F1;3B0)OVERLAP_F_B.</source>
        <translation>请写作：部分、F、B、I 或 W、微批，例如 2F0；重叠的一对写作 (0F1;3B0)OVERLAP_F_B。</translation>
    </message>
    <message>
        <source>“%1” has no such link.</source>
        <translation>“%1”没有这种链路。</translation>
    </message>
    <message>
        <source>Name a GPU, a server or a rack for nvlink, pcie and nic, a leaf or spine switch for uplink.</source>
        <translation>nvlink、pcie 和 nic 请指明 GPU、服务器或机架，uplink 请指明叶交换机或脊交换机。</translation>
    </message>
    <message>
        <source>With the dead link of “%1” some GPUs of the layout have no route to each other.</source>
        <translation>“%1”的链路中断后，布局中的部分 GPU 之间没有路由。</translation>
    </message>
    <message>
        <source>Leave one NIC in its server alive, or one way between the switches.</source>
        <translation>请在其服务器中保留一张可用网卡，或在交换机之间保留一条通路。</translation>
    </message>
    <message>
        <source>picture format</source>
        <translation>图片格式</translation>
    </message>
    <message>
        <source>Scenario files, Hugging Face config.json, Megatron-LM scripts and pipeline schedules as CSV can be read.</source>
        <translation>可以读取场景文件、Hugging Face config.json、Megatron-LM 脚本和 CSV 格式的流水线调度。</translation>
    </message>
    <message>
        <source>%1 is not read.</source>
        <translation>不能读取 %1。</translation>
    </message>
    <message>
        <source>Copy the launch command with its options into a file of its own, as a shell would read it.</source>
        <translation>请把启动命令及其选项按 shell 的写法复制到单独的文件中。</translation>
    </message>
    <message>
        <source>“%1” is set from %2, which is not known without running the script.</source>
        <translation>“%1”的值来自 %2，不运行脚本就无法得知。</translation>
    </message>
    <message>
        <source>Write the value in its place.</source>
        <translation>请直接写出该值。</translation>
    </message>
    <message>
        <source>“%1” is not in the script, which reads “%2”, a file that was not given.</source>
        <translation>脚本中没有“%1”；脚本会读取文件“%2”，但没有提供该文件。</translation>
    </message>
    <message>
        <source>Give that file too: import SCRIPT %2.</source>
        <translation>请一并提供该文件：import SCRIPT %2。</translation>
    </message>
    <message>
        <source>“%1” depends on the script&apos;s argument %2, which was not given.</source>
        <translation>“%1”取决于脚本参数 %2，但没有提供该参数。</translation>
    </message>
    <message>
        <source>Give the script&apos;s arguments: import SCRIPT --args &quot;…&quot;.</source>
        <translation>请提供脚本的参数：import SCRIPT --args &quot;…&quot;。</translation>
    </message>
    <message>
        <source>The shell would not read this script: %1 is missing.</source>
        <translation>shell 无法读取此脚本：缺少 %1。</translation>
    </message>
    <message>
        <source>Close it.</source>
        <translation>请补上。</translation>
    </message>
    <message>
        <source>The script starts %1 trainings; the one of line %2 is taken.</source>
        <translation>脚本启动 %1 个训练；采用第 %2 行的那个。</translation>
    </message>
    <message>
        <source>The script is a sweep: a loop starts %1 trainings in line %2; the largest of them is taken, or the last.</source>
        <translation>脚本是一次扫描：第 %2 行的循环启动 %1 个训练；采用其中最大的，否则采用最后一个。</translation>
    </message>
    <message>
        <source>The script reads %1, which was not given (--args): it counts as empty.</source>
        <translation>脚本读取 %1，但没有提供（--args）：按空值处理。</translation>
    </message>
    <message>
        <source>The script reads “%1”, which was not given; what that sets is not known.</source>
        <translation>脚本读取“%1”，但没有提供该文件；其中设置的内容未知。</translation>
    </message>
    <message>
        <source>“%1” cannot be decided without running the script; it is taken as %2.</source>
        <translation>不运行脚本无法判定“%1”；按 %2 处理。</translation>
    </message>
    <message>
        <source>The script does more than is followed; %1 programs were seen.</source>
        <translation>脚本的内容超出了跟踪范围；已看到 %1 个程序。</translation>
    </message>
    <message>
        <source>The file describes %1 (“%2”), which is not simulated.</source>
        <translation>文件描述的是%1（“%2”），尚不能模拟。</translation>
    </message>
    <message>
        <source>Import a model of plain transformer layers.</source>
        <translation>请导入由普通 Transformer 层组成的模型。</translation>
    </message>
    <message>
        <source>Write %3, if that is what runs.</source>
        <translation>如果实际如此运行，请写明 %3。</translation>
    </message>
    <message>
        <source>The file names %1 GPUs, its degrees need %2, which are used.</source>
        <translation>文件写有 %1 个 GPU，其并行度需要 %2 个，按后者计。</translation>
    </message>
    <message>
        <source>%1 has an effect that is not simulated.</source>
        <translation>%1 有影响，但尚不能模拟。</translation>
    </message>
    <message>
        <source>%1 is not understood and is left out.</source>
        <translation>%1 无法识别，已略去。</translation>
    </message>
    <message>
        <source>The model type “%1” is not known: it is read as a plain transformer. Check its layers and parameters.</source>
        <translation>模型类型“%1”未知，按普通 Transformer 读取。请核对层数和参数量。</translation>
    </message>
    <message>
        <source>an encoder-decoder model</source>
        <translation>编码器-解码器模型</translation>
    </message>
    <message>
        <source>Mamba or other state-space layers</source>
        <translation>Mamba 等状态空间层</translation>
    </message>
    <message>
        <source>linear attention layers</source>
        <translation>线性注意力层</translation>
    </message>
    <message>
        <source>sparse attention over chosen keys</source>
        <translation>只看选定键的稀疏注意力</translation>
    </message>
    <message>
        <source>layers of different shapes</source>
        <translation>形状各异的层</translation>
    </message>
    <message>
        <source>recurrent layers</source>
        <translation>循环层</translation>
    </message>
    <message>
        <source>a vision or speech model</source>
        <translation>视觉或语音模型</translation>
    </message>
    <message>
        <source>training in fp32</source>
        <translation>fp32 训练</translation>
    </message>
    <message>
        <source>retrieval inside the layers</source>
        <translation>层内检索</translation>
    </message>
    <message>
        <source>not in the file</source>
        <translation>文件中没有</translation>
    </message>
    <message>
        <source>Megatron-LM&apos;s default</source>
        <translation>Megatron-LM 的默认值</translation>
    </message>
    <message>
        <source>Megatron-DeepSpeed&apos;s default</source>
        <translation>Megatron-DeepSpeed 的默认值</translation>
    </message>
    <message>
        <source>as tensor, Megatron-LM&apos;s default</source>
        <translation>与张量并行度相同，Megatron-LM 的默认值</translation>
    </message>
    <message>
        <source>the smallest world of these degrees</source>
        <translation>满足这些并行度的最少 GPU</translation>
    </message>
    <message>
        <source>BERT attends both ways</source>
        <translation>BERT 的注意力是双向的</translation>
    </message>
    <message>
        <source>not in the catalogue</source>
        <translation>目录中没有</translation>
    </message>
    <message>
        <source>Hugging Face&apos;s default for this model type</source>
        <translation>Hugging Face 对该模型类型的默认值</translation>
    </message>
    <message>
        <source>GPT-2&apos;s vocabulary, padded</source>
        <translation>GPT-2 词表，已补齐</translation>
    </message>
    <message>
        <source>padded as Megatron-LM does</source>
        <translation>按 Megatron-LM 的方式补齐</translation>
    </message>
    <message>
        <source>DeepSpeed&apos;s BF16 optimizer shards its states</source>
        <translation>DeepSpeed 的 BF16 优化器会切分状态</translation>
    </message>
    <message>
        <source>inferred from the options</source>
        <translation>由选项推断</translation>
    </message>
    <message>
        <source>from the #SBATCH lines</source>
        <translation>取自 #SBATCH 行</translation>
    </message>
    <message>
        <source>from the file&apos;s name</source>
        <translation>取自文件名</translation>
    </message>
    <message>
        <source>smallest layout that fits</source>
        <translation>放得下的最小布局</translation>
    </message>
    <message>
        <source>not in the file; 4 Mi tokens a batch</source>
        <translation>文件中没有；每批 4 Mi 个 token</translation>
    </message>
    <message>
        <source>not decidable without running the script</source>
        <translation>不运行脚本无法判定</translation>
    </message>
    <message>
        <source>roughly so</source>
        <translation>大致如此</translation>
    </message>
</context>
<context>
    <name>Flags</name>
    <message>
        <source>Attention kernel</source>
        <translation>注意力内核</translation>
    </message>
    <message>
        <source>Which implementation computes attention.</source>
        <translation>由哪种实现计算注意力。</translation>
    </message>
    <message>
        <source>CUDA graphs</source>
        <translation>CUDA 图</translation>
    </message>
    <message>
        <source>Kernels launched as recorded graphs cost the host less time.</source>
        <translation>以录制好的图启动内核，主机耗时更少。</translation>
    </message>
    <message>
        <source>Low-precision recipe</source>
        <translation>低精度方案</translation>
    </message>
    <message>
        <source>How tensors are scaled and cast for 8-bit and 4-bit matmuls.</source>
        <translation>8 位与 4 位矩阵乘法中张量如何缩放和转换。</translation>
    </message>
    <message>
        <source>Expert dispatcher</source>
        <translation>专家分发</translation>
    </message>
    <message>
        <source>How tokens travel to their experts and back.</source>
        <translation>词元如何送往专家并返回。</translation>
    </message>
    <message>
        <source>Expert overlap</source>
        <translation>专家通信重叠</translation>
    </message>
    <message>
        <source>Hides the experts&apos; all-to-alls behind other micro-batches.</source>
        <translation>把专家的全交换隐藏在其他微批之后。</translation>
    </message>
    <message>
        <source>Token drop</source>
        <translation>丢弃词元</translation>
    </message>
    <message>
        <source>Experts of fixed capacity: no waiting for the fullest, some tokens are lost.</source>
        <translation>专家容量固定：不必等待最满的专家，但会丢失部分词元。</translation>
    </message>
    <message>
        <source>Fused expert activation</source>
        <translation>融合专家激活</translation>
    </message>
    <message>
        <source>The experts&apos; activation function in one kernel.</source>
        <translation>专家的激活函数在一个内核中完成。</translation>
    </message>
    <message>
        <source>Fused grouped matmuls</source>
        <translation>融合分组矩阵乘</translation>
    </message>
    <message>
        <source>Quantisation, activation and expert matmuls in one kernel.</source>
        <translation>量化、激活与专家矩阵乘在一个内核中完成。</translation>
    </message>
    <message>
        <source>Tensor overlap</source>
        <translation>张量通信重叠</translation>
    </message>
    <message>
        <source>Hides tensor-parallel collectives behind matmuls.</source>
        <translation>把张量并行的集合通信隐藏在矩阵乘之后。</translation>
    </message>
    <message>
        <source>NVLS</source>
        <translation>NVLS</translation>
    </message>
    <message>
        <source>The NVSwitch adds up all-reduces.</source>
        <translation>由 NVSwitch 完成全归约的求和。</translation>
    </message>
    <message>
        <source>PAT</source>
        <translation>PAT</translation>
    </message>
    <message>
        <source>Aggregated trees for all-gathers and reduce-scatters across many servers.</source>
        <translation>跨大量服务器的全收集与归约-分散使用聚合树。</translation>
    </message>
    <message>
        <source>Data overlap</source>
        <translation>数据通信重叠</translation>
    </message>
    <message>
        <source>Hides gradient and parameter collectives behind compute.</source>
        <translation>把梯度与参数的集合通信隐藏在计算之后。</translation>
    </message>
    <message>
        <source>Pipeline overlap</source>
        <translation>流水线通信重叠</translation>
    </message>
    <message>
        <source>Stages send while they compute.</source>
        <translation>各级边计算边发送。</translation>
    </message>
    <message>
        <source>FSDP</source>
        <translation>FSDP</translation>
    </message>
    <message>
        <source>Which implementation shards the parameters.</source>
        <translation>由哪种实现切分参数。</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Bytes of a gradient in memory and on the wire.</source>
        <translation>一个梯度在显存和网络上占用的字节数。</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>not fused</source>
        <translation>未融合</translation>
    </message>
    <message>
        <source>FlashAttention 1</source>
        <translation>FlashAttention 1</translation>
    </message>
    <message>
        <source>FlashAttention 2</source>
        <translation>FlashAttention 2</translation>
    </message>
    <message>
        <source>FlashAttention 3</source>
        <translation>FlashAttention 3</translation>
    </message>
    <message>
        <source>cuDNN</source>
        <translation>cuDNN</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>of layers</source>
        <translation>按层</translation>
    </message>
    <message>
        <source>whole iteration</source>
        <translation>整次迭代</translation>
    </message>
    <message>
        <source>delayed scaling</source>
        <translation>延迟缩放</translation>
    </message>
    <message>
        <source>current scaling</source>
        <translation>即时缩放</translation>
    </message>
    <message>
        <source>MXFP8</source>
        <translation>MXFP8</translation>
    </message>
    <message>
        <source>row by row</source>
        <translation>逐行</translation>
    </message>
    <message>
        <source>NVFP4</source>
        <translation>NVFP4</translation>
    </message>
    <message>
        <source>all to all</source>
        <translation>全交换</translation>
    </message>
    <message>
        <source>DeepEP</source>
        <translation>DeepEP</translation>
    </message>
    <message>
        <source>HybridEP</source>
        <translation>HybridEP</translation>
    </message>
    <message>
        <source>FSDP 1</source>
        <translation>FSDP 1</translation>
    </message>
    <message>
        <source>FSDP 2</source>
        <translation>FSDP 2</translation>
    </message>
    <message>
        <source>XLA</source>
        <translation>XLA</translation>
    </message>
    <message>
        <source>DeepSpeed</source>
        <translation>DeepSpeed</translation>
    </message>
    <message>
        <source>2 bytes</source>
        <translation>2 字节</translation>
    </message>
    <message>
        <source>4 bytes</source>
        <translation>4 字节</translation>
    </message>
    <message>
        <source>plain</source>
        <translation>普通</translation>
    </message>
</context>
<context>
    <name>Import</name>
    <message>
        <source>read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>assumed</source>
        <translation>假定</translation>
    </message>
    <message>
        <source>not simulated</source>
        <translation>未模拟</translation>
    </message>
    <message>
        <source>not understood</source>
        <translation>无法识别</translation>
    </message>
    <message>
        <source>no effect</source>
        <translation>无影响</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>F2 or a double click changes it; one undo step</source>
        <translation>按 F2 或双击可修改；为一步撤销</translation>
    </message>
    <message>
        <source>%1, line %2</source>
        <translation>%1，第 %2 行</translation>
    </message>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>In the file</source>
        <translation>文件中</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>修改 %1</translation>
    </message>
</context>
<context>
    <name>Knobs</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>The transformer that is trained: its layers, width, heads and experts.</source>
        <translation>要训练的 Transformer：层数、宽度、注意力头和专家。</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>Transformer layers of the model, one after the other.</source>
        <translation>模型中依次相连的 Transformer 层数。</translation>
    </message>
    <message>
        <source>Training recipe</source>
        <translation>训练配方</translation>
    </message>
    <message>
        <source>Sequence length, batch, precision and recompute as in one of the presets.</source>
        <translation>序列长度、批大小、精度和重计算取自某个预设。</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>序列长度</translation>
    </message>
    <message>
        <source>Tokens of one training example. Attention grows with its square.</source>
        <translation>一个训练样本的 token 数。注意力的计算量随其平方增长。</translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation>全局批大小</translation>
    </message>
    <message>
        <source>Sequences of one iteration over the whole cluster, before the weights are updated once.</source>
        <translation>权重更新一次之前，整个集群在一次迭代中处理的序列数。</translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation>微批大小</translation>
    </message>
    <message>
        <source>Sequences that go through a pipeline stage at once.</source>
        <translation>一次通过一个流水线阶段的序列数。</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Number format of the matrix multiplications. Fewer bits are faster where the GPU has them.</source>
        <translation>矩阵乘法的数值格式。GPU 支持时，位数越少越快。</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>Activations that are not kept but computed again in the backward pass: less memory, more time.</source>
        <translation>不保存、在反向传播时重新计算的激活值：省显存，费时间。</translation>
    </message>
    <message>
        <source>Recomputed layers</source>
        <translation>重计算层数</translation>
    </message>
    <message>
        <source>Layers of each stage that are recomputed whole.</source>
        <translation>每个阶段中整层重新计算的层数。</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>The order in which the pipeline stages run forward and backward passes.</source>
        <translation>流水线各阶段执行前向和反向的顺序。</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量并行</translation>
    </message>
    <message>
        <source>GPUs that share every matrix multiplication of a layer (TP). They exchange data in every layer, best over NVLink.</source>
        <translation>共同完成一层中每个矩阵乘法的 GPU 数（TP）。每层都要交换数据，最好走 NVLink。</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>流水线并行</translation>
    </message>
    <message>
        <source>Stages that the layers are cut into (PP). Each has some layers and passes activations on.</source>
        <translation>把各层切成的阶段数（PP）。每个阶段有若干层，并把激活值传给下一个。</translation>
    </message>
    <message>
        <source>Virtual stages</source>
        <translation>虚拟阶段数</translation>
    </message>
    <message>
        <source>Chunks of layers that each stage holds (interleaving): more of them make the bubble smaller and the transfers more.</source>
        <translation>每个阶段持有的层块数（交错）：越多气泡越小，传输越多。</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文并行</translation>
    </message>
    <message>
        <source>GPUs that share every sequence (CP), for long ones.</source>
        <translation>共同处理每个序列的 GPU 数（CP），用于长序列。</translation>
    </message>
    <message>
        <source>Expert</source>
        <translation>专家并行</translation>
    </message>
    <message>
        <source>GPUs that the experts of a layer are spread over (EP). Tokens travel to their experts.</source>
        <translation>一层的专家分布到的 GPU 数（EP）。token 被送往各自的专家。</translation>
    </message>
    <message>
        <source>Expert tensor</source>
        <translation>专家张量并行</translation>
    </message>
    <message>
        <source>GPUs that share the matrix multiplications of one expert (ETP).</source>
        <translation>共同完成一个专家的矩阵乘法的 GPU 数（ETP）。</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据并行</translation>
    </message>
    <message>
        <source>Replicas of the model that train on different sequences (DP) and add up their gradients.</source>
        <translation>用不同序列训练并把梯度相加的模型副本数（DP）。</translation>
    </message>
    <message>
        <source>ZeRO stage</source>
        <translation>ZeRO 级别</translation>
    </message>
    <message>
        <source>What replicas share out instead of each keeping all: 1 optimizer states, 2 gradients too, 3 parameters too (FSDP).</source>
        <translation>副本之间分摊而不是各存一份的内容：1 为优化器状态，2 加上梯度，3 再加上参数（FSDP）。</translation>
    </message>
    <message>
        <source>Micro-batch group</source>
        <translation>微批组</translation>
    </message>
    <message>
        <source>Micro-batches that a chunk runs in a row before the next chunk, with interleaving.</source>
        <translation>交错时，一个层块在换到下一块之前连续执行的微批数。</translation>
    </message>
    <message>
        <source>Accelerator</source>
        <translation>加速器</translation>
    </message>
    <message>
        <source>The GPU. Beside it: dense peak at 16 bits, and memory as sold.</source>
        <translation>GPU 型号。旁边是 16 位稠密峰值和标称显存。</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU 数</translation>
    </message>
    <message>
        <source>GPUs of the whole cluster.</source>
        <translation>整个集群的 GPU 数。</translation>
    </message>
    <message>
        <source>GPUs per server</source>
        <translation>每台服务器的 GPU 数</translation>
    </message>
    <message>
        <source>GPUs in one chassis.</source>
        <translation>一个机箱里的 GPU 数。</translation>
    </message>
    <message>
        <source>NIC speed</source>
        <translation>网卡速率</translation>
    </message>
    <message>
        <source>Speed of the network card of one GPU, in one direction.</source>
        <translation>一块 GPU 的网卡单向速率。</translation>
    </message>
    <message>
        <source>Oversubscription</source>
        <translation>收敛比</translation>
    </message>
    <message>
        <source>1 : 7 = the links between pods carry a seventh of what the servers of a pod can send together.</source>
        <translation>1 : 7 = Pod 之间的链路只能承载一个 Pod 内所有服务器总发送能力的七分之一。</translation>
    </message>
    <message>
        <source>Software profile</source>
        <translation>软件配置</translation>
    </message>
    <message>
        <source>The training software of a time: which kernels are fused and what is overlapped.</source>
        <translation>某一时期的训练软件：哪些内核融合、哪些通信重叠。</translation>
    </message>
    <message>
        <source>Price</source>
        <translation>价格</translation>
    </message>
    <message>
        <source>US dollars for one GPU for one hour.</source>
        <translation>一块 GPU 使用一小时的美元价格。</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>不重计算</translation>
    </message>
    <message>
        <source>attention only</source>
        <translation>仅注意力</translation>
    </message>
    <message>
        <source>all layers</source>
        <translation>所有层</translation>
    </message>
    <message>
        <source>%1 layers a stage</source>
        <translation>每阶段 %1 层</translation>
    </message>
    <message>
        <source>0: nothing shared</source>
        <translation>0：不分摊</translation>
    </message>
    <message>
        <source>1: optimizer</source>
        <translation>1：优化器</translation>
    </message>
    <message>
        <source>2: and gradients</source>
        <translation>2：加梯度</translation>
    </message>
    <message>
        <source>3: and parameters</source>
        <translation>3：加参数</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>并行布局</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Software</source>
        <translation>软件</translation>
    </message>
    <message>
        <source>Prices</source>
        <translation>价格</translation>
    </message>
    <message>
        <source>This model has no experts.</source>
        <translation>这个模型没有专家。</translation>
    </message>
    <message>
        <source>Only when Recompute is by layers.</source>
        <translation>仅在按层重计算时有效。</translation>
    </message>
    <message>
        <source>Only with the interleaved schedule.</source>
        <translation>仅用于交错调度。</translation>
    </message>
    <message>
        <source>The cluster is drawn by hand; its drawing says this.</source>
        <translation>集群是手工绘制的，由图决定。</translation>
    </message>
    <message>
        <source>as in the file</source>
        <translation>与文件相同</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>auto (%1)</source>
        <translation>自动（%1）</translation>
    </message>
    <message>
        <source>%1 TFLOP/s, %2 GB</source>
        <translation>%1 TFLOP/s，%2 GB</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 tokens/s</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 needs %3 of at most %2 (now %4).</source>
        <translation>%1 要求%3不超过 %2（现为 %4）。</translation>
    </message>
    <message>
        <source>%1 needs %3 of at least %2 (now %4).</source>
        <translation>%1 要求%3不低于 %2（现为 %4）。</translation>
    </message>
    <message>
        <source>%1 does not go with %2. %3</source>
        <translation>%1 与%2不相容。%3</translation>
    </message>
    <message>
        <source>Set %1 to %2 too</source>
        <translation>同时把%1设为 %2</translation>
    </message>
</context>
<context>
    <name>Kpi</name>
    <message>
        <source>no change</source>
        <translation>不变</translation>
    </message>
    <message>
        <source>Iteration</source>
        <translation>迭代时间</translation>
    </message>
    <message>
        <source>Time from one optimizer step of the slowest rank to the next: the heartbeat.</source>
        <translation>最慢的 rank 从一次优化器更新到下一次的时间，即“心跳”。</translation>
    </message>
    <message>
        <source>MFU (6N + causal)</source>
        <translation>MFU（6N + 因果）</translation>
    </message>
    <message>
        <source>Model FLOPs utilisation: 6N plus causal attention FLOPs per token over the dense peak of the training precision.
Without attention %1, with full attention %2, hardware FLOPs (HFU) %3.
%4 TFLOP/s per GPU.</source>
        <translation>模型算力利用率：每词元 6N 加因果注意力的 FLOPs，除以训练精度的稠密峰值。
不计注意力 %1，按完整注意力 %2，硬件 FLOPs（HFU）%3。
每张 GPU %4 TFLOP/s。</translation>
    </message>
    <message>
        <source>%1 pt</source>
        <translation>%1 点</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐</translation>
    </message>
    <message>
        <source>Tokens of one global batch over the iteration time; %1 per GPU.</source>
        <translation>一个全局批大小的词元数除以迭代时间；每张 GPU %1。</translation>
    </message>
    <message>
        <source>Cost per 1 M tokens</source>
        <translation>每百万词元成本</translation>
    </message>
    <message>
        <source>$ per 1 M tokens</source>
        <translation>每百万词元</translation>
    </message>
    <message>
        <source>GPU hours of the whole cluster (%1 GPUs) at the price per GPU hour; %2 an iteration.</source>
        <translation>整个集群（%1 张 GPU）的 GPU 小时乘以单价；每次迭代 %2。</translation>
    </message>
    <message>
        <source>Memory, fullest rank</source>
        <translation>显存（最满）</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>of %1 GB</source>
        <translation>/ %1 GB</translation>
    </message>
    <message>
        <source>It fits.</source>
        <translation>放得下。</translation>
    </message>
    <message>
        <source>It does not fit: the run would stop with out of memory.</source>
        <translation>放不下：训练会因显存不足而中止。</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>Goodput, estimate</source>
        <translation>有效率（估计）</translation>
    </message>
    <message>
        <source>Goodput</source>
        <translation>有效率</translation>
    </message>
    <message>
        <source>Share of wall time that trains, with failures, checkpoints and restarts (Daly 2006); an estimate, the campaign is not simulated.</source>
        <translation>计入故障、检查点和重启后，真正用于训练的时间占比（Daly 2006）；为估计值，未模拟整个训练过程。</translation>
    </message>
    <message>
        <source>MFU, causal</source>
        <translation>MFU（因果）</translation>
    </message>
    <message>
        <source>Capacity %1: %2 GiB as sold less the context.</source>
        <translation>容量 %1：标称 %2 GiB 减去上下文占用。</translation>
    </message>
    <message>
        <source>Largest memory of any GPU in the iteration, at rank %1.
Parameters %2, gradients %3, optimizer %4, activations %5, buffers %6.
%7</source>
        <translation>一次迭代中各 GPU 显存的最大值，在 rank %1。
参数 %2，梯度 %3，优化器 %4，激活 %5，缓冲区 %6。
%7</translation>
    </message>
</context>
<context>
    <name>Links</name>
    <message>
        <source>%1 of %2</source>
        <comment>kind of link, GPU</comment>
        <translation>%2 的 %1</translation>
    </message>
    <message>
        <source>%1: %2 – %3</source>
        <comment>kind of link, its two ends</comment>
        <translation>%1：%2 – %3</translation>
    </message>
    <message>
        <source>out</source>
        <comment>direction of a link</comment>
        <translation>出</translation>
    </message>
    <message>
        <source>in</source>
        <comment>direction of a link</comment>
        <translation>入</translation>
    </message>
    <message>
        <source>up</source>
        <comment>direction of a link</comment>
        <translation>上行</translation>
    </message>
    <message>
        <source>down</source>
        <comment>direction of a link</comment>
        <translation>下行</translation>
    </message>
    <message>
        <source>%1 %2, peak %3</source>
        <comment>kind of link, mean load, fullest moment</comment>
        <translation>%1 %2，峰值 %3</translation>
    </message>
</context>
<context>
    <name>Names</name>
    <message>
        <source>Forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Weight gradient</source>
        <translation>权重梯度</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Exposed TP</source>
        <translation>未掩盖的 TP</translation>
    </message>
    <message>
        <source>Exposed CP</source>
        <translation>未掩盖的 CP</translation>
    </message>
    <message>
        <source>Exposed EP</source>
        <translation>未掩盖的 EP</translation>
    </message>
    <message>
        <source>Exposed PP</source>
        <translation>未掩盖的 PP</translation>
    </message>
    <message>
        <source>Exposed DP</source>
        <translation>未掩盖的 DP</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>气泡</translation>
    </message>
    <message>
        <source>Straggler wait</source>
        <translation>等待掉队者</translation>
    </message>
    <message>
        <source>Data wait</source>
        <translation>等待数据</translation>
    </message>
    <message>
        <source>Checkpoint stall</source>
        <translation>检查点停顿</translation>
    </message>
    <message>
        <source>Computes the forward pass of a micro-batch.</source>
        <translation>计算一个微批的前向。</translation>
    </message>
    <message>
        <source>Computes the backward pass of a micro-batch.</source>
        <translation>计算一个微批的反向。</translation>
    </message>
    <message>
        <source>Computes weight gradients that the schedule split from the backward pass.</source>
        <translation>计算由调度从反向中拆出的权重梯度。</translation>
    </message>
    <message>
        <source>Computes activations again that were not kept, to save memory.</source>
        <translation>为节省显存，重新计算没有保留的激活。</translation>
    </message>
    <message>
        <source>Updates the weights after all gradients are reduced.</source>
        <translation>所有梯度归约后更新权重。</translation>
    </message>
    <message>
        <source>The CPU prepares and launches work, or offloaded activations are on their way; the GPU has nothing to do yet.</source>
        <translation>CPU 正在准备和下发任务，或卸载的激活值正在传输；GPU 尚无事可做。</translation>
    </message>
    <message>
        <source>Waits for tensor-parallel communication that nothing hides.</source>
        <translation>等待未被掩盖的张量并行通信。</translation>
    </message>
    <message>
        <source>Waits for context-parallel communication that nothing hides.</source>
        <translation>等待未被掩盖的上下文并行通信。</translation>
    </message>
    <message>
        <source>Waits for expert-parallel communication that nothing hides.</source>
        <translation>等待未被掩盖的专家并行通信。</translation>
    </message>
    <message>
        <source>Waits while activations or gradients travel between pipeline stages.</source>
        <translation>等待激活或梯度在流水级之间传输。</translation>
    </message>
    <message>
        <source>Waits for gradients or parameters to be exchanged between replicas.</source>
        <translation>等待副本之间交换梯度或参数。</translation>
    </message>
    <message>
        <source>The pipeline has no work for this stage: it fills, drains or is uneven.</source>
        <translation>流水线没有任务给这一级：正在填充、排空或不均衡。</translation>
    </message>
    <message>
        <source>Waits longer than in the same run without slow GPUs: somebody is late.</source>
        <translation>比没有慢 GPU 时等得更久：有人迟到。</translation>
    </message>
    <message>
        <source>Waits for training data.</source>
        <translation>等待训练数据。</translation>
    </message>
    <message>
        <source>Waits for a checkpoint to be written.</source>
        <translation>等待检查点写入。</translation>
    </message>
    <message>
        <source>No rank</source>
        <translation>无 rank</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Expert</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>Interleaved 1F1B</source>
        <translation>交错 1F1B</translation>
    </message>
    <message>
        <source>Zero bubble H1</source>
        <translation>零气泡 H1</translation>
    </message>
    <message>
        <source>Zero bubble H2</source>
        <translation>零气泡 H2</translation>
    </message>
    <message>
        <source>Zero bubble V</source>
        <translation>零气泡 V</translation>
    </message>
    <message>
        <source>Zero bubble, automatic</source>
        <translation>零气泡（自动）</translation>
    </message>
    <message>
        <source>Custom schedule</source>
        <translation>自定义调度</translation>
    </message>
    <message>
        <source>Llama 3 (Meta, 2024)</source>
        <translation>Llama 3（Meta，2024）</translation>
    </message>
    <message>
        <source>NeMo (2024)</source>
        <translation>NeMo（2024）</translation>
    </message>
    <message>
        <source>Megatron-LM (2022)</source>
        <translation>Megatron-LM（2022）</translation>
    </message>
    <message>
        <source>site</source>
        <translation>站点</translation>
    </message>
    <message>
        <source>pod</source>
        <translation>Pod</translation>
    </message>
    <message>
        <source>rack</source>
        <translation>机架</translation>
    </message>
    <message>
        <source>server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>leaf switch</source>
        <translation>叶交换机</translation>
    </message>
    <message>
        <source>spine switch</source>
        <translation>脊交换机</translation>
    </message>
    <message>
        <source>core switch</source>
        <translation>核心交换机</translation>
    </message>
    <message>
        <source>storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Slow GPU</source>
        <translation>慢 GPU</translation>
    </message>
    <message>
        <source>Compute jitter</source>
        <translation>计算抖动</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>ring</source>
        <translation>环形</translation>
    </message>
    <message>
        <source>tree</source>
        <translation>树形</translation>
    </message>
    <message>
        <source>hierarchical</source>
        <translation>分层</translation>
    </message>
    <message>
        <source>point to point</source>
        <translation>点对点</translation>
    </message>
    <message>
        <source>all to all</source>
        <translation>全交换</translation>
    </message>
    <message>
        <source>NVLS (in the NVSwitch)</source>
        <translation>NVLS（NVSwitch 内归约）</translation>
    </message>
    <message>
        <source>NVLS and trees</source>
        <translation>NVLS 加树</translation>
    </message>
    <message>
        <source>in the network&apos;s switches</source>
        <translation>网络交换机内归约</translation>
    </message>
    <message>
        <source>PAT (aggregated trees)</source>
        <translation>PAT（聚合树）</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>input gradient</source>
        <translation>输入梯度</translation>
    </message>
    <message>
        <source>weight gradient</source>
        <translation>权重梯度</translation>
    </message>
    <message>
        <source>Checking the scenario</source>
        <translation>检查场景</translation>
    </message>
    <message>
        <source>Building the cluster</source>
        <translation>构建集群</translation>
    </message>
    <message>
        <source>Placing ranks</source>
        <translation>放置 rank</translation>
    </message>
    <message>
        <source>Costing operations</source>
        <translation>计算算子开销</translation>
    </message>
    <message>
        <source>Sharing links</source>
        <translation>分配链路带宽</translation>
    </message>
    <message>
        <source>Running the iteration</source>
        <translation>运行迭代</translation>
    </message>
    <message>
        <source>Explaining the waits</source>
        <translation>分析等待原因</translation>
    </message>
    <message>
        <source>all GPUs</source>
        <translation>所有 GPU</translation>
    </message>
    <message>
        <source>Degraded link</source>
        <translation>链路降级</translation>
    </message>
    <message>
        <source>Dead link</source>
        <translation>链路中断</translation>
    </message>
    <message>
        <source>Competing traffic</source>
        <translation>竞争流量</translation>
    </message>
    <message>
        <source>Host pauses</source>
        <translation>主机停顿</translation>
    </message>
    <message>
        <source>Document lengths</source>
        <translation>文档长度</translation>
    </message>
    <message>
        <source>Slow data loading</source>
        <translation>数据加载慢</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Slow storage</source>
        <translation>存储慢</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>NVLink</source>
        <translation>NVLink</translation>
    </message>
    <message>
        <source>PCI Express link</source>
        <translation>PCI Express 链路</translation>
    </message>
    <message>
        <source>NIC link</source>
        <translation>网卡链路</translation>
    </message>
    <message>
        <source>Uplinks</source>
        <translation>上行链路</translation>
    </message>
</context>
<context>
    <name>Perturbations</name>
    <message>
        <source>%1 dead, cables: %2</source>
        <translation>%1已断，线缆：%2</translation>
    </message>
    <message>
        <source>%1 dead</source>
        <translation>%1已断</translation>
    </message>
    <message>
        <source>%1, other traffic %2</source>
        <translation>%1，其他流量 %2</translation>
    </message>
    <message>
        <source>%1 GB/s</source>
        <translation>%1 GB/s</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1降到 %2</translation>
    </message>
    <message>
        <source>%1, latency %2</source>
        <translation>%1，延迟 %2</translation>
    </message>
    <message>
        <source>%1 at %2, latency %3</source>
        <translation>%1降到 %2，延迟 %3</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>Search</name>
    <message>
        <source>micro-batch %1</source>
        <translation>微批 %1</translation>
    </message>
    <message>
        <source>the fastest</source>
        <translation>最快</translation>
    </message>
    <message>
        <source>as fast as the first</source>
        <translation>与第一个一样快</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>lacks %1 of memory</source>
        <translation>显存差 %1</translation>
    </message>
    <message>
        <source>Iteration</source>
        <translation>迭代时间</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Why not first</source>
        <translation>为何不是第一</translation>
    </message>
</context>
<context>
    <name>Timeline</name>
    <message>
        <source>waits %1 for %2</source>
        <translation>等 %1：%2</translation>
    </message>
    <message>
        <source>the operation before</source>
        <translation>前一个算子</translation>
    </message>
    <message>
        <source>another stage&apos;s output</source>
        <translation>另一级的输出</translation>
    </message>
    <message>
        <source>the parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>the gradient reduction</source>
        <translation>梯度归约</translation>
    </message>
    <message>
        <source>the gradient norm of all</source>
        <translation>全局梯度范数</translation>
    </message>
    <message>
        <source>a peer of its group</source>
        <translation>同组的 GPU</translation>
    </message>
    <message>
        <source>the end of the iteration</source>
        <translation>迭代结束</translation>
    </message>
    <message>
        <source>the training data</source>
        <translation>训练数据</translation>
    </message>
    <message>
        <source>the checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>F%1</source>
        <comment>forward of micro-batch %1, short</comment>
        <translation>F%1</translation>
    </message>
    <message>
        <source>W%1</source>
        <comment>weight gradient of micro-batch %1, short</comment>
        <translation>W%1</translation>
    </message>
    <message>
        <source>B%1</source>
        <comment>backward of micro-batch %1, short</comment>
        <translation>B%1</translation>
    </message>
    <message>
        <source>idle %1</source>
        <comment>how long a bubble is</comment>
        <translation>空闲 %1</translation>
    </message>
</context>
<context>
    <name>Units</name>
    <message>
        <source>ns</source>
        <translation>ns</translation>
    </message>
    <message>
        <source>µs</source>
        <translation>µs</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>min</source>
        <translation>分</translation>
    </message>
    <message>
        <source>h</source>
        <translation>小时</translation>
    </message>
    <message>
        <source>d</source>
        <translation>天</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>词元/s</translation>
    </message>
</context>
<context>
    <name>Validation</name>
    <message>
        <source>Memory is at its limit (%1 predicted): the allocator frees and retries, which is not simulated.</source>
        <translation>显存已到极限（预测 %1）：分配器会释放并重试，这一点没有模拟。</translation>
    </message>
    <message>
        <source>The run dropped tokens above the experts&apos; capacity; how many is not published.</source>
        <translation>该运行丢弃了超出专家容量的词元，数量未公布。</translation>
    </message>
    <message>
        <source>Early software: the first release measured on this accelerator.</source>
        <translation>早期软件：该加速器上测得的第一个版本。</translation>
    </message>
    <message>
        <source>Early software: %1 months after the first release measured on this accelerator.</source>
        <translation>早期软件：距该加速器上测得的第一个版本仅 %1 个月。</translation>
    </message>
    <message>
        <source>The same configuration was measured %2 times, up to %1 apart, with different releases.</source>
        <translation>同一配置用不同版本测了 %2 次，彼此最多相差 %1。</translation>
    </message>
    <message>
        <source>Sharded parameters were fetched in an order that is not published.</source>
        <translation>分片参数的获取顺序未公布。</translation>
    </message>
    <message>
        <source>Few micro-batches (%1; pipeline stages: %2): start, end and the gradient exchange weigh much.</source>
        <translation>微批很少（%1；流水线级数：%2）：开头、结尾和梯度交换占比很大。</translation>
    </message>
    <message>
        <source>Short kernels (%1 a layer): the time to launch them depends on the host.</source>
        <translation>内核很短（每层 %1）：启动时间取决于主机。</translation>
    </message>
    <message>
        <source>%1 of the time is communication that nothing hides: congestion and the library&apos;s choices weigh much.</source>
        <translation>%1 的时间是未被掩盖的通信：拥塞与通信库的选择影响很大。</translation>
    </message>
    <message>
        <source>A large job (%1 GPUs): stragglers, data loading and other time outside the iteration are in the measurement.</source>
        <translation>大规模作业（%1 个 GPU）：测量中含有掉队者、数据加载等迭代之外的时间。</translation>
    </message>
    <message>
        <source>Not published, so assumed: %1.</source>
        <translation>未公布，只能假定：%1。</translation>
    </message>
    <message>
        <source>Kernels are not fused (%1 times the memory traffic, assumed): versions differ.</source>
        <translation>内核未融合（假定访存量为 %1 倍）：各版本不同。</translation>
    </message>
    <message>
        <source>An aggregate (tier C): good for a range check only.</source>
        <translation>汇总数据（C 级）：仅可用于检查范围。</translation>
    </message>
    <message>
        <source>No rule explains it: the cost model is off here.</source>
        <translation>没有规则能解释：此处成本模型有偏差。</translation>
    </message>
    <message>
        <source>(and %1 more)</source>
        <translation>（另有 %1 条）</translation>
    </message>
    <message>
        <source>Tier A: every knob documented</source>
        <translation>A 级：所有参数均有记录</translation>
    </message>
    <message>
        <source>Tier B: one knob assumed</source>
        <translation>B 级：有一个参数是假定的</translation>
    </message>
    <message>
        <source>Tier C: aggregate</source>
        <translation>C 级：汇总</translation>
    </message>
    <message>
        <source>No tier</source>
        <translation>无等级</translation>
    </message>
    <message>
        <source>mixture of experts</source>
        <translation>混合专家</translation>
    </message>
    <message>
        <source>dense</source>
        <translation>稠密</translation>
    </message>
    <message>
        <source>± %1</source>
        <translation>± %1</translation>
    </message>
    <message>
        <source>%1: four of five of the %2 nearest published runs are predicted as closely (errors %3 to %4).</source>
        <translation>%1：最接近的 %2 个已公布运行中，五分之四的预测同样准确（误差 %3 至 %4）。</translation>
    </message>
    <message>
        <source>A measurement would lie between %1 and %2.</source>
        <translation>实测值应在 %1 与 %2 之间。</translation>
    </message>
    <message>
        <source>Extrapolated: no published run is much like this one.</source>
        <translation>外推：没有与此十分相似的已公布运行。</translation>
    </message>
    <message>
        <source>%1 on %2 %3: %4</source>
        <translation>%1，%2 × %3：%4</translation>
    </message>
    <message>
        <source>memory limit</source>
        <translation>显存到极限</translation>
    </message>
    <message>
        <source>token drop</source>
        <translation>丢弃词元</translation>
    </message>
    <message>
        <source>early software</source>
        <translation>早期软件</translation>
    </message>
    <message>
        <source>release spread</source>
        <translation>版本差异</translation>
    </message>
    <message>
        <source>fetch order</source>
        <translation>获取顺序</translation>
    </message>
    <message>
        <source>few micro-batches</source>
        <translation>微批少</translation>
    </message>
    <message>
        <source>short kernels</source>
        <translation>内核短</translation>
    </message>
    <message>
        <source>exposed network</source>
        <translation>网络外露</translation>
    </message>
    <message>
        <source>large job</source>
        <translation>大规模作业</translation>
    </message>
    <message>
        <source>assumed knob</source>
        <translation>参数假定</translation>
    </message>
    <message>
        <source>eager kernels</source>
        <translation>内核未融合</translation>
    </message>
    <message>
        <source>aggregate</source>
        <translation>汇总</translation>
    </message>
    <message>
        <source>unexplained</source>
        <translation>无法解释</translation>
    </message>
    <message>
        <source>%1 on %2 %3</source>
        <translation>%1，%2 × %3</translation>
    </message>
    <message>
        <source>Predicted %1, no time measured</source>
        <translation>预测 %1，没有实测时间</translation>
    </message>
    <message>
        <source>Predicted %1, measured %2, error %3</source>
        <translation>预测 %1，实测 %2，误差 %3</translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message>
        <source>One GPU at %1 holds up %2 GPUs</source>
        <translation>1 张 GPU 降到 %1，%2 张在等</translation>
    </message>
    <message>
        <source>%1 slow GPUs, the slowest at %2, hold up %3 GPUs</source>
        <translation>%1 张慢 GPU（最慢 %2），%3 张在等</translation>
    </message>
    <message>
        <source>Show GPU</source>
        <translation>查看 GPU</translation>
    </message>
    <message>
        <source>One GPU at %1 costs nothing</source>
        <translation>1 张 GPU 降到 %1，没有代价</translation>
    </message>
    <message>
        <source>%1 slow GPUs cost nothing</source>
        <translation>%1 张慢 GPU，没有代价</translation>
    </message>
    <message>
        <source>waits that were there anyway hide the delay</source>
        <translation>原有的等待掩盖了延迟</translation>
    </message>
    <message>
        <source>Straggler wait %1 on %2 replicas · %3 over the run</source>
        <translation>等待掉队者 %1（%2 个副本）· 全程 %3</translation>
    </message>
    <message>
        <source>%1 an iteration · %2 over the run</source>
        <translation>每次迭代 %1 · 全程 %2</translation>
    </message>
    <message>
        <source>%1, run %2</source>
        <translation>%1，全程 %2</translation>
    </message>
    <message>
        <source>Small random delays add up: everyone waits for the unluckiest</source>
        <translation>微小的随机延迟累积起来：大家都等最不走运的那一个</translation>
    </message>
    <message>
        <source>An iteration takes %1 longer than the baseline</source>
        <translation>迭代比基线慢 %1</translation>
    </message>
    <message>
        <source>An iteration takes %1 less than the baseline</source>
        <translation>迭代比基线快 %1</translation>
    </message>
    <message>
        <source>mostly %1 %2 · %3 over the run</source>
        <translation>主要是%1 %2 · 全程 %3</translation>
    </message>
    <message>
        <source>Show busiest GPU</source>
        <translation>查看最忙的 GPU</translation>
    </message>
    <message>
        <source>Pipeline bubbles take %1 of the iteration</source>
        <translation>流水线气泡占迭代的 %1</translation>
    </message>
    <message>
        <source>Tensor-parallel communication that nothing hides takes %1</source>
        <translation>未被掩盖的张量并行通信占 %1</translation>
    </message>
    <message>
        <source>Gradient exchange that nothing hides takes %1</source>
        <translation>未被掩盖的梯度交换占 %1</translation>
    </message>
    <message>
        <source>Transfers between pipeline stages take %1</source>
        <translation>流水级之间的传输占 %1</translation>
    </message>
    <message>
        <source>Recomputing activations takes %1</source>
        <translation>激活重计算占 %1</translation>
    </message>
    <message>
        <source>%2 takes %1 of the iteration</source>
        <translation>%2占迭代的 %1</translation>
    </message>
    <message>
        <source>%1 of %2, worth %3 over the run; nothing is slow</source>
        <translation>%2 中的 %1，全程值 %3；没有慢的部件</translation>
    </message>
    <message>
        <source>%1 of %2, worth %3</source>
        <translation>%2 中的 %1，值 %3</translation>
    </message>
    <message>
        <source>recompute activations, or use a smaller micro-batch or more tensor parallelism</source>
        <translation>重计算激活，或减小微批，或增大张量并行度</translation>
    </message>
    <message>
        <source>use more pipeline stages, a higher ZeRO stage or recompute</source>
        <translation>增加流水线级数，提高 ZeRO 级别，或启用重计算</translation>
    </message>
    <message>
        <source>Memory does not fit: %1 of %2 GB (estimate)</source>
        <translation>显存放不下：%1 / %2 GB（估算）</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>Stage %1, rank %2</source>
        <translation>第 %1 级，rank %2</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 holds up %2 GPUs</source>
        <translation>%1，拖住 %2 张 GPU</translation>
    </message>
    <message>
        <source>All hosts pause together for %1</source>
        <translation>所有主机同时停顿 %1</translation>
    </message>
    <message>
        <source>Hosts pause for %1, each at its own time: everyone waits for each</source>
        <translation>各主机不同时停顿 %1：每次都让全体等待</translation>
    </message>
    <message>
        <source>Long documents in replica %1: the others wait for it</source>
        <translation>副本 %1 的文档较长：其他副本在等它</translation>
    </message>
    <message>
        <source>Training data come late: a micro-batch takes %1 to load</source>
        <translation>训练数据来得晚：加载一个微批要 %1</translation>
    </message>
    <message>
        <source>A checkpoint stops training for %1</source>
        <translation>检查点使训练停顿 %1</translation>
    </message>
    <message>
        <source>The first operations run at %1 speed</source>
        <translation>最初的算子只有 %1 的速度</translation>
    </message>
    <message>
        <source>The perturbations of this run make everyone wait</source>
        <translation>本次运行的扰动让全体等待</translation>
    </message>
    <message>
        <source>%1 in this iteration, all %2 perturbations together</source>
        <translation>本次迭代 %1，为全部 %2 个扰动合计</translation>
    </message>
    <message>
        <source>%1 together</source>
        <translation>合计 %1</translation>
    </message>
    <message>
        <source>%1 in this iteration, all %2 perturbations together, a checkpoint every %3 · %4 over the run</source>
        <translation>本次迭代 %1，为全部 %2 个扰动合计，每 %3 一次检查点 · 全程 %4</translation>
    </message>
    <message>
        <source>%1 an iteration, all %2 perturbations together · %3 over the run</source>
        <translation>每次迭代 %1，为全部 %2 个扰动合计 · 全程 %3</translation>
    </message>
    <message>
        <source>%1 together, run %2</source>
        <translation>合计 %1，全程 %2</translation>
    </message>
    <message>
        <source>%1 in the first iteration only</source>
        <translation>仅首次迭代 %1</translation>
    </message>
    <message>
        <source>%1 in this iteration, a checkpoint every %2 · %3 over the run</source>
        <translation>本次迭代 %1，每 %2 一次检查点 · 全程 %3</translation>
    </message>
    <message>
        <source>The perturbations of this run cost nothing</source>
        <translation>本次运行的扰动没有代价</translation>
    </message>
    <message>
        <source>%1: costs nothing</source>
        <translation>%1：没有代价</translation>
    </message>
    <message>
        <source>Compute takes %1 of the iteration</source>
        <translation>计算占迭代的 %1</translation>
    </message>
    <message>
        <source>at %1 of the dense peak; nothing is slow</source>
        <translation>达到稠密峰值的 %1；没有变慢的部件</translation>
    </message>
    <message>
        <source>Find a better layout</source>
        <translation>寻找更好的布局</translation>
    </message>
</context>
<context>
    <name>Why</name>
    <message>
        <source>Member %1 of the group</source>
        <translation>组内成员 %1</translation>
    </message>
    <message>
        <source>costs %1</source>
        <translation>代价 %1</translation>
    </message>
    <message>
        <source>%1 of micro-batch %2, chunk %3</source>
        <translation>微批 %2 块 %3 的%1</translation>
    </message>
    <message>
        <source>%1 of micro-batch %2</source>
        <translation>微批 %2 的%1</translation>
    </message>
    <message>
        <source>The last optimizer step ends</source>
        <translation>最后一个优化器步结束</translation>
    </message>
    <message>
        <source>stage %1 of replica %2, at %3</source>
        <translation>副本 %2 第 %1 级，在 %3</translation>
    </message>
    <message>
        <source>Gradient-norm exchange</source>
        <translation>交换梯度范数</translation>
    </message>
    <message>
        <source>all wait for the last gradients</source>
        <translation>全体等待最后的梯度</translation>
    </message>
    <message>
        <source>Gradient reduction, stage %1</source>
        <translation>梯度归约，第 %1 级</translation>
    </message>
    <message>
        <source>replica %1 of %2 comes last</source>
        <translation>%2 个副本中，副本 %1 最后到</translation>
    </message>
    <message>
        <source>Stage %1, replica %2: late input</source>
        <translation>副本 %2 第 %1 级：输入迟到</translation>
    </message>
    <message>
        <source>over %1 stage boundaries</source>
        <translation>逐级传递 %1 级</translation>
    </message>
    <message>
        <source>Tensor group waits for one GPU</source>
        <translation>张量组在等一张 GPU</translation>
    </message>
    <message>
        <source>stage %1 of replica %2</source>
        <translation>副本 %2 第 %1 级</translation>
    </message>
    <message>
        <source>Replica %1, stage %2: optimizer step</source>
        <translation>副本 %1 第 %2 级：优化器步骤</translation>
    </message>
    <message>
        <source>after the last gradients</source>
        <translation>在最后的梯度之后</translation>
    </message>
    <message>
        <source>Replica %1, stage %2 computes</source>
        <translation>副本 %1 第 %2 级在计算</translation>
    </message>
    <message>
        <source>Parameter all-gather, stage %1</source>
        <translation>参数 all-gather，第 %1 级</translation>
    </message>
    <message>
        <source>the first forward needs them</source>
        <translation>首个前向需要它们</translation>
    </message>
    <message>
        <source>%1 runs at %2</source>
        <translation>%1 以 %2 速度运行</translation>
    </message>
    <message>
        <source>Random delays add up on this path</source>
        <translation>随机延迟在这条路径上累积</translation>
    </message>
    <message>
        <source>longest at stage %1 of replica %2</source>
        <translation>最长的在副本 %2 第 %1 级</translation>
    </message>
    <message>
        <source>Stage %1 has the most work</source>
        <translation>第 %1 级任务最多</translation>
    </message>
    <message>
        <source>nothing is slow</source>
        <translation>没有慢的部件</translation>
    </message>
    <message>
        <source>over %1 replicas, none is late</source>
        <translation>共 %1 个副本，无人迟到</translation>
    </message>
    <message>
        <source>Stage %1, replica %2 needs its input</source>
        <translation>副本 %2 第 %1 级需要其输入</translation>
    </message>
    <message>
        <source>%1 on the path</source>
        <translation>路径上 %1</translation>
    </message>
    <message>
        <source>In a tensor-parallel collective</source>
        <translation>正在做张量并行集合通信</translation>
    </message>
    <message>
        <source>In a context-parallel exchange</source>
        <translation>正在做上下文并行交换</translation>
    </message>
    <message>
        <source>In an expert all-to-all</source>
        <translation>正在做专家 all-to-all</translation>
    </message>
    <message>
        <source>In a transfer between stages</source>
        <translation>正在做级间传输</translation>
    </message>
    <message>
        <source>Tensor-parallel all-gather/reduce-scatter with %1 peers</source>
        <translation>与 %1 个对端做张量并行 all-gather/reduce-scatter</translation>
    </message>
    <message>
        <source>Tensor-parallel all-reduce with %1 peers</source>
        <translation>与 %1 个对端做张量并行 all-reduce</translation>
    </message>
    <message>
        <source>Context-parallel exchange of keys and values with %1 peers</source>
        <translation>与 %1 个对端做上下文并行的键值交换</translation>
    </message>
    <message>
        <source>Expert all-to-all with %1 peers</source>
        <translation>与 %1 个对端做专家 all-to-all</translation>
    </message>
    <message>
        <source>Expert all-to-all, stage %1</source>
        <translation>专家 all-to-all，第 %1 级</translation>
    </message>
    <message>
        <source>Stage %1 sends to the next stage</source>
        <translation>第 %1 级向下一级发送</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>在 %1 中</translation>
    </message>
    <message>
        <source>replica %1, stage %2</source>
        <translation>副本 %1，第 %2 级</translation>
    </message>
    <message>
        <source>The host of %1 pauses</source>
        <translation>%1 的主机停顿</translation>
    </message>
    <message>
        <source>Replica %1 has long documents</source>
        <translation>副本 %1 的文档较长</translation>
    </message>
    <message>
        <source>more attention in its micro-batches</source>
        <translation>其微批的注意力计算更多</translation>
    </message>
    <message>
        <source>%1 writes a checkpoint</source>
        <translation>%1 写检查点</translation>
    </message>
    <message>
        <source>The first operations run slower</source>
        <translation>最初的操作运行较慢</translation>
    </message>
    <message>
        <source>Other traffic on %1 of %2</source>
        <translation>%2 的%1上有其他流量</translation>
    </message>
    <message>
        <source>%1 of %2 at %3</source>
        <translation>%2 的%1降到 %3</translation>
    </message>
    <message>
        <source>%1 of %2: %3 more latency</source>
        <translation>%2 的%1：延迟增加 %3</translation>
    </message>
    <message>
        <source>slows stage %1 of replica %2</source>
        <translation>拖慢副本 %2 的第 %1 级</translation>
    </message>
    <message>
        <source>Slow link</source>
        <translation>慢链路</translation>
    </message>
    <message>
        <source>Dead %1 of %2</source>
        <translation>%2 的%1已断</translation>
    </message>
    <message>
        <source>Training data come late</source>
        <translation>训练数据来得晚</translation>
    </message>
</context>
<context>
    <name>clusterbeat::ActiveList</name>
    <message>
        <source>%1, seed %2</source>
        <translation>%1，种子 %2</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Switch on %1</source>
        <translation>启用 %1</translation>
    </message>
    <message>
        <source>Switch off %1</source>
        <translation>停用 %1</translation>
    </message>
    <message>
        <source>Active on this run</source>
        <translation>当前生效</translation>
    </message>
    <message>
        <source>Nothing is slow. Try a GPU or its links in the inspector, or the What-if menu.</source>
        <translation>没有慢的部件。可在检查器中调整一张 GPU 或其链路，或用“假设”菜单。</translation>
    </message>
</context>
<context>
    <name>clusterbeat::BreakdownTable</name>
    <message>
        <source>Breakdown</source>
        <translation>时间构成</translation>
    </message>
    <message>
        <source>Sum</source>
        <translation>合计</translation>
    </message>
</context>
<context>
    <name>clusterbeat::ClusterCanvas</name>
    <message>
        <source>Map of all GPUs</source>
        <translation>全部 GPU 的热图</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>path of a GPU or container: what it does</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Slow this GPU to %1 %</source>
        <translation>将此 GPU 降到 %1 %</translation>
    </message>
    <message>
        <source>Restore full speed</source>
        <translation>恢复全速</translation>
    </message>
    <message>
        <source>Show the whole cluster</source>
        <translation>显示整个集群</translation>
    </message>
    <message>
        <source>Zoom to single GPUs</source>
        <translation>放大到单张 GPU</translation>
    </message>
    <message>
        <source>no rank: spare</source>
        <translation>无 rank：备用</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <comment>GPU 5 at 70 %</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation>已选：%1</translation>
    </message>
    <message>
        <source>Zoom: %1</source>
        <translation>放大：%1</translation>
    </message>
    <message>
        <source>Server %1</source>
        <translation>服务器 %1</translation>
    </message>
    <message>
        <source>Core, 1:%1 oversubscribed</source>
        <translation>核心层，1:%1 收敛</translation>
    </message>
    <message>
        <source>Core</source>
        <translation>核心层</translation>
    </message>
    <message>
        <source>1 switch</source>
        <translation>1 台交换机</translation>
    </message>
    <message>
        <source>%1 switches</source>
        <translation>%1 台交换机</translation>
    </message>
    <message>
        <source>Pod %1</source>
        <translation>Pod %1</translation>
    </message>
    <message>
        <source>All GPUs</source>
        <translation>所有 GPU</translation>
    </message>
    <message>
        <source>Pod %1 spine</source>
        <translation>Pod %1 Spine</translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <translation>%1 张 GPU</translation>
    </message>
    <message>
        <source>S%1</source>
        <comment>pipeline stage, short</comment>
        <translation>S%1</translation>
    </message>
    <message>
        <source>DP %1</source>
        <comment>replica, short</comment>
        <translation>DP %1</translation>
    </message>
    <message>
        <source>links to the spines %1</source>
        <translation>到脊交换机的链路 %1</translation>
    </message>
    <message>
        <source>links %1, peak %2</source>
        <comment>mean load, fullest moment of one link</comment>
        <translation>链路 %1，峰值 %2</translation>
    </message>
    <message>
        <source>%1: links %2 full over the iteration</source>
        <comment>kind of link</comment>
        <translation>%1：链路在整个迭代中占用 %2</translation>
    </message>
    <message>
        <source>fullest moment of one link: %1</source>
        <translation>单条链路最满的时刻：%1</translation>
    </message>
</context>
<context>
    <name>clusterbeat::ClusterView</name>
    <message>
        <source>Cluster</source>
        <translation>集群</translation>
    </message>
    <message>
        <source>Pods</source>
        <translation>Pod</translation>
    </message>
    <message>
        <source>Racks</source>
        <translation>机架</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Shares of each pod</source>
        <translation>每个 Pod 的占比</translation>
    </message>
    <message>
        <source>Every server of every rack</source>
        <translation>每个机架的每台服务器</translation>
    </message>
    <message>
        <source>Servers with single GPUs</source>
        <translation>服务器及其单张 GPU</translation>
    </message>
    <message>
        <source>GPUs with number and texture</source>
        <translation>带编号和纹理的 GPU</translation>
    </message>
    <message>
        <source>Zoom to: %1</source>
        <translation>缩放到：%1</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适合</translation>
    </message>
    <message>
        <source>Show the whole cluster (Ctrl+0)</source>
        <translation>显示整个集群 (Ctrl+0)</translation>
    </message>
    <message>
        <source>1 pod</source>
        <translation>1 个 Pod</translation>
    </message>
    <message>
        <source>%1 pods</source>
        <translation>%1 个 Pod</translation>
    </message>
    <message>
        <source>1 rack</source>
        <translation>1 个机架</translation>
    </message>
    <message>
        <source>%1 racks</source>
        <translation>%1 机架</translation>
    </message>
    <message>
        <source>1 server</source>
        <translation>1 台服务器</translation>
    </message>
    <message>
        <source>%1 servers</source>
        <translation>%1 服务器</translation>
    </message>
    <message>
        <source>1 GPU</source>
        <translation>1 张 GPU</translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <translation>%1 张 GPU</translation>
    </message>
</context>
<context>
    <name>clusterbeat::CommunicationModel</name>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1，%2：%3</translation>
    </message>
    <message>
        <source>All</source>
        <comment>dimensions</comment>
        <translation>合计</translation>
    </message>
    <message>
        <source>All dimensions; they may communicate at the same time</source>
        <translation>所有维度；它们可以同时通信</translation>
    </message>
    <message>
        <source>Seconds that its wires carry data: hidden + exposed + beside waits, or start-up + transfer</source>
        <translation>链路传输数据的秒数：被掩盖 + 未掩盖 + 与等待同时，或启动 + 传输</translation>
    </message>
    <message>
        <source>The GPU computes meanwhile: this time costs nothing</source>
        <translation>GPU 同时在计算：这段时间没有代价</translation>
    </message>
    <message>
        <source>The GPU waits for it: this time is part of the iteration</source>
        <translation>GPU 在等它：这段时间计入迭代</translation>
    </message>
    <message>
        <source>The GPU waits for something else meanwhile, so it costs nothing more</source>
        <translation>GPU 此时本来就在等别的，因此没有额外代价</translation>
    </message>
    <message>
        <source>Fixed cost of the steps, whatever the bytes</source>
        <translation>各步的固定开销，与字节数无关</translation>
    </message>
    <message>
        <source>Bytes over bandwidth</source>
        <translation>字节数除以带宽</translation>
    </message>
    <message>
        <source>Waiting until the last peer has come, before the data flow; not part of busy</source>
        <translation>数据流动之前等最后一个对端到齐；不计入忙碌</translation>
    </message>
    <message>
        <source>How the collectives run</source>
        <translation>集合通信的算法</translation>
    </message>
    <message>
        <source>The kind of link that limits it</source>
        <translation>限制它的链路类型</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>忙碌</translation>
    </message>
    <message>
        <source>Hidden</source>
        <translation>被掩盖</translation>
    </message>
    <message>
        <source>Exposed</source>
        <translation>未掩盖</translation>
    </message>
    <message>
        <source>Beside waits</source>
        <translation>与等待同时</translation>
    </message>
    <message>
        <source>Start-up</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Transfer</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>Peer wait</source>
        <translation>等对端</translation>
    </message>
    <message>
        <source>Algorithm</source>
        <translation>算法</translation>
    </message>
    <message>
        <source>Slowest link</source>
        <translation>最慢链路</translation>
    </message>
</context>
<context>
    <name>clusterbeat::CommunicationTable</name>
    <message>
        <source>Communication by dimension, seconds</source>
        <translation>各维度的通信，秒</translation>
    </message>
</context>
<context>
    <name>clusterbeat::Document</name>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>Restore %1</source>
        <translation>恢复 %1</translation>
    </message>
    <message>
        <source>Slow %1 to %2 %</source>
        <translation>将 %1 降到 %2 %</translation>
    </message>
    <message>
        <source>Remove every what-if</source>
        <translation>移除所有假设</translation>
    </message>
</context>
<context>
    <name>clusterbeat::DocumentController</name>
    <message>
        <source>Cannot open %1</source>
        <translation>无法打开 %1</translation>
    </message>
    <message>
        <source>Clusterbeat</source>
        <translation>Clusterbeat</translation>
    </message>
    <message>
        <source>Where: %1</source>
        <translation>位置：%1</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的更改</translation>
    </message>
    <message>
        <source>“%1” has changes that are not saved.</source>
        <translation>“%1”有未保存的更改。</translation>
    </message>
    <message>
        <source>They are lost if they are not saved.</source>
        <translation>如不保存，这些更改将丢失。</translation>
    </message>
    <message>
        <source>Save scenario</source>
        <translation>保存场景</translation>
    </message>
    <message>
        <source>Clusterbeat scenarios (*.clusterbeat.json);;All files (*)</source>
        <translation>Clusterbeat 场景 (*.clusterbeat.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Cannot save %1</source>
        <translation>无法保存 %1</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Scenarios and importable files (*.json *.sh *.slurm *.txt);;All files (*)</source>
        <translation>场景和可导入的文件 (*.json *.sh *.slurm *.txt);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Rename this run</source>
        <translation>重命名此运行</translation>
    </message>
    <message>
        <source>Name, in the title and in comparisons:</source>
        <translation>名称（用于标题和对比）：</translation>
    </message>
    <message>
        <source>Rename to “%1”</source>
        <translation>重命名为“%1”</translation>
    </message>
    <message>
        <source>Cannot rename to “%1”</source>
        <translation>无法重命名为“%1”</translation>
    </message>
    <message>
        <source>Schedule of %1</source>
        <translation>%1 的调度</translation>
    </message>
    <message>
        <source>Several files cannot be opened at once.</source>
        <translation>不能同时打开多个文件。</translation>
    </message>
    <message>
        <source>Drop one run, a pipeline schedule, or both together.</source>
        <translation>请拖放一个运行、一个流水线调度，或两者一起。</translation>
    </message>
</context>
<context>
    <name>clusterbeat::ImportDialog</name>
    <message>
        <source>Imported: %1</source>
        <translation>已导入：%1</translation>
    </message>
    <message>
        <source>%1 is a new run. What the file does not say was assumed; values can be changed here.</source>
        <translation>%1 成为新的运行。文件没有写明的已作假定；可在此修改各值。</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter the rows of the import</source>
        <translation>筛选导入的各行</translation>
    </message>
    <message>
        <source>Origin of the rows</source>
        <translation>各行的来源</translation>
    </message>
    <message>
        <source>All (%1)</source>
        <translation>全部（%1）</translation>
    </message>
    <message>
        <source>What the import read and assumed</source>
        <translation>导入所读取和假定的内容</translation>
    </message>
    <message>
        <source>Change the &amp;value</source>
        <translation>修改值(&amp;V)</translation>
    </message>
    <message>
        <source>This row sets nothing that can be changed.</source>
        <translation>此行没有可修改的值。</translation>
    </message>
</context>
<context>
    <name>clusterbeat::Inspector</name>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Chain of causes</source>
        <translation>原因链</translation>
    </message>
    <message>
        <source>Memory at the fullest moment</source>
        <translation>最满时刻的显存</translation>
    </message>
    <message>
        <source>Nothing simulated yet</source>
        <translation>尚未模拟</translation>
    </message>
    <message>
        <source>TP %1</source>
        <translation>TP %1</translation>
    </message>
    <message>
        <source>CP %1</source>
        <translation>CP %1</translation>
    </message>
    <message>
        <source>PP %1</source>
        <translation>PP %1</translation>
    </message>
    <message>
        <source>DP %1</source>
        <translation>DP %1</translation>
    </message>
    <message>
        <source>The whole run</source>
        <translation>整次训练</translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <translation>%1 张 GPU</translation>
    </message>
    <message>
        <source>It holds no rank: a spare</source>
        <translation>没有 rank：备用</translation>
    </message>
    <message>
        <source>Why does it take so long?</source>
        <translation>为什么这么久？</translation>
    </message>
    <message>
        <source>Why is it waiting?</source>
        <translation>它为什么在等？</translation>
    </message>
    <message>
        <source>against baseline</source>
        <translation>对基线</translation>
    </message>
    <message>
        <source>against no faults</source>
        <translation>对无故障</translation>
    </message>
    <message>
        <source>Mean of all ranks</source>
        <translation>所有 rank 的平均</translation>
    </message>
    <message>
        <source>Memory, fullest rank</source>
        <translation>显存（最满）</translation>
    </message>
    <message>
        <source>This GPU, one iteration</source>
        <translation>此 GPU，一次迭代</translation>
    </message>
    <message>
        <source>What decides its pace?</source>
        <translation>它的节奏由谁决定？</translation>
    </message>
    <message>
        <source>Communication of this GPU, s</source>
        <translation>此 GPU 的通信，秒</translation>
    </message>
    <message>
        <source>Communication, mean of all ranks, s</source>
        <translation>通信，所有 rank 的均值，秒</translation>
    </message>
</context>
<context>
    <name>clusterbeat::KeySheet</name>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>W  S</source>
        <translation>W  S</translation>
    </message>
    <message>
        <source>Timeline and map: zoom in and out</source>
        <translation>时间线与集群图：放大和缩小</translation>
    </message>
    <message>
        <source>A  D</source>
        <translation>A  D</translation>
    </message>
    <message>
        <source>Timeline and map: pan</source>
        <translation>时间线与集群图：平移</translation>
    </message>
    <message>
        <source>Ctrl + wheel</source>
        <translation>Ctrl + 滚轮</translation>
    </message>
    <message>
        <source>Zoom at the pointer</source>
        <translation>以指针为中心缩放</translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation>滚轮</translation>
    </message>
    <message>
        <source>Scroll the lanes</source>
        <translation>滚动泳道</translation>
    </message>
    <message>
        <source>Shift or middle button + drag</source>
        <translation>Shift 或中键 + 拖动</translation>
    </message>
    <message>
        <source>Pan</source>
        <translation>平移</translation>
    </message>
    <message>
        <source>Drag in the timeline</source>
        <translation>在时间线中拖动</translation>
    </message>
    <message>
        <source>Select a time range, with sums</source>
        <translation>选择时间范围并求和</translation>
    </message>
    <message>
        <source>F</source>
        <translation>F</translation>
    </message>
    <message>
        <source>Fit the selection; again: everything</source>
        <translation>适合所选；再按：全部</translation>
    </message>
    <message>
        <source>Arrow keys, Enter</source>
        <translation>方向键、回车</translation>
    </message>
    <message>
        <source>Move through the cluster, select</source>
        <translation>在集群中移动、选择</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Clear the selection, close a panel</source>
        <translation>清除选择，关闭面板</translation>
    </message>
    <message>
        <source>What they do</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Pulse</source>
        <translation>脉搏</translation>
    </message>
    <message>
        <source>Click in the legend</source>
        <translation>单击图例</translation>
    </message>
    <message>
        <source>Show this kind alone; again: all</source>
        <translation>只显示此类；再次单击：全部</translation>
    </message>
    <message>
        <source>Shift + click in the legend</source>
        <translation>Shift + 单击图例</translation>
    </message>
    <message>
        <source>Hide this kind; again: show it</source>
        <translation>隐藏此类；再次单击：显示</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Find a key or what it does</source>
        <translation>查找按键或功能</translation>
    </message>
</context>
<context>
    <name>clusterbeat::KnobController</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>clusterbeat::KnobList</name>
    <message>
        <source>Nothing is changed since the run was opened.</source>
        <translation>打开以来没有任何改动。</translation>
    </message>
    <message>
        <source>No knob is called “%1”.</source>
        <translation>没有名为“%1”的参数。</translation>
    </message>
    <message>
        <source>Change the run</source>
        <translation>修改训练配置</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>已改动</translation>
    </message>
    <message>
        <source>Only what differs from the run as it was opened</source>
        <translation>只显示与打开时不同的参数</translation>
    </message>
    <message>
        <source>Find a knob</source>
        <translation>查找参数</translation>
    </message>
    <message>
        <source>Part of a name: tensor, batch, NIC (Ctrl+K)</source>
        <translation>名称的一部分，如：张量、批、网卡（Ctrl+K）</translation>
    </message>
</context>
<context>
    <name>clusterbeat::KpiStrip</name>
    <message>
        <source>Headline figures</source>
        <translation>主要指标</translation>
    </message>
</context>
<context>
    <name>clusterbeat::LinkModel</name>
    <message>
        <source>Mean over the iteration, of what the link can carry</source>
        <translation>整个迭代的平均值，占链路容量的比例</translation>
    </message>
    <message>
        <source>In its fullest 64th of the iteration</source>
        <translation>迭代中最满的六十四分之一时段</translation>
    </message>
    <message>
        <source>Links that carry as much</source>
        <translation>承载同样多数据的链路数</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>链路</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>负载</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Peak at</source>
        <translation>峰值时刻</translation>
    </message>
    <message>
        <source>Carries</source>
        <translation>传输量</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>所属维度</translation>
    </message>
    <message>
        <source>Alike</source>
        <translation>同类数</translation>
    </message>
</context>
<context>
    <name>clusterbeat::LinksDialog</name>
    <message>
        <source>Being computed…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>Mean load of all links of a kind over the iteration, and the fullest moment of one: %1</source>
        <translation>每类全部链路在整个迭代中的平均负载，以及单条链路最满的时刻：%1</translation>
    </message>
    <message>
        <source>Busiest links</source>
        <translation>最繁忙的链路</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Busiest links, fullest first</source>
        <translation>最繁忙的链路，最满的在前</translation>
    </message>
</context>
<context>
    <name>clusterbeat::MainWindow</name>
    <message>
        <source>The last change cannot be simulated; the picture is of the one before. %1</source>
        <translation>上一次更改无法模拟，画面仍是更改之前的结果。%1</translation>
    </message>
    <message>
        <source>The simulation was cancelled; the picture is of the change before.</source>
        <translation>模拟已取消，画面仍是更改之前的结果。</translation>
    </message>
    <message>
        <source>%1[*] – Clusterbeat</source>
        <translation>%1[*] – Clusterbeat</translation>
    </message>
    <message>
        <source>&amp;Undo %1</source>
        <translation>撤销 %1(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo %1</source>
        <translation>重做 %1(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;New From Preset</source>
        <translation>从预设新建(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开…(&amp;O)</translation>
    </message>
    <message>
        <source>Open &amp;Recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save &amp;As…</source>
        <translation>另存为…(&amp;A)</translation>
    </message>
    <message>
        <source>Save &amp;Picture…</source>
        <translation>保存图片…(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Go to GPU, Rank or Stage…</source>
        <translation>转到 GPU、rank 或流水级…(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Projector</source>
        <translation>投影(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Run Panel</source>
        <translation>训练面板(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Inspector</source>
        <translation>检查器(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Fit the Selection</source>
        <translation>适合所选(&amp;F)</translation>
    </message>
    <message>
        <source>Show the Whole &amp;Cluster</source>
        <translation>显示整个集群(&amp;C)</translation>
    </message>
    <message>
        <source>Reduce &amp;Motion</source>
        <translation>减少动效(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Play</source>
        <translation>播放(&amp;P)</translation>
    </message>
    <message>
        <source>Step &amp;Back</source>
        <translation>上一步(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Step</source>
        <translation>下一步(&amp;S)</translation>
    </message>
    <message>
        <source>Previous &amp;Micro-batch</source>
        <translation>上一个微批(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Next Micro-batch</source>
        <translation>下一个微批(&amp;N)</translation>
    </message>
    <message>
        <source>To the Star&amp;t</source>
        <translation>到开头(&amp;T)</translation>
    </message>
    <message>
        <source>To the &amp;End</source>
        <translation>到结尾(&amp;E)</translation>
    </message>
    <message>
        <source>S&amp;lower</source>
        <translation>减速(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Faster</source>
        <translation>加速(&amp;F)</translation>
    </message>
    <message>
        <source>L&amp;oop</source>
        <translation>循环(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;What-if</source>
        <translation>假设(&amp;W)</translation>
    </message>
    <message>
        <source>Slow the Selected GPU to &amp;70 %</source>
        <translation>将所选 GPU 降到 &amp;70 %</translation>
    </message>
    <message>
        <source>&amp;Restore the Selected GPU</source>
        <translation>恢复所选 GPU(&amp;R)</translation>
    </message>
    <message>
        <source>Slow the Selected GPU to &amp;95 %</source>
        <translation>将所选 GPU 降到 &amp;95 %</translation>
    </message>
    <message>
        <source>Remove &amp;Every What-if</source>
        <translation>移除所有假设(&amp;E)</translation>
    </message>
    <message>
        <source>Show What Sets the &amp;Pace</source>
        <translation>显示瓶颈(&amp;P)</translation>
    </message>
    <message>
        <source>Pin This Result as &amp;Baseline</source>
        <translation>将此结果设为基线(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About Clusterbeat</source>
        <translation>关于 Clusterbeat(&amp;A)</translation>
    </message>
    <message>
        <source>About Clusterbeat</source>
        <translation>关于 Clusterbeat</translation>
    </message>
    <message>
        <source>Clusterbeat %1

One training iteration of a large model on ten thousand GPUs, simulated and shown as a heartbeat.</source>
        <translation>Clusterbeat %1

模拟一万张 GPU 上大模型的一次训练迭代，并把它呈现为心跳。</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>Pictures (*.png *.svg *.pdf)</source>
        <translation>图片 (*.png *.svg *.pdf)</translation>
    </message>
    <message>
        <source>Cannot save %1</source>
        <translation>无法保存 %1</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Cluster above, timeline below</source>
        <translation>上为集群，下为时间线</translation>
    </message>
    <message>
        <source>&amp;Play Page</source>
        <translation>播放页(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Validation Page</source>
        <translation>验证页(&amp;V)</translation>
    </message>
    <message>
        <source>Random &amp;Delays of 3 %</source>
        <translation>3 % 的随机延迟(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Garbage Collection: Pauses of 0.1 s</source>
        <translation>垃圾回收：停顿 0.1 s(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Uneven Documents: Attention ± 50 %</source>
        <translation>文档长短不一：注意力 ± 50 %(&amp;U)</translation>
    </message>
    <message>
        <source>Slow Data &amp;Loading: 25 % Behind</source>
        <translation>数据加载慢：落后 25 %(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Checkpoint in This Iteration</source>
        <translation>本次迭代写检查点(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Warm-up: First Micro-batch at 50 %</source>
        <translation>预热：首个微批速度 50 %(&amp;W)</translation>
    </message>
    <message>
        <source>Li&amp;nks of the Selected GPU</source>
        <translation>所选 GPU 的链路(&amp;N)</translation>
    </message>
    <message>
        <source>NIC at &amp;50 %</source>
        <translation>网卡降到 50 %(&amp;5)</translation>
    </message>
    <message>
        <source>NIC at &amp;10 %</source>
        <translation>网卡降到 10 %(&amp;1)</translation>
    </message>
    <message>
        <source>&amp;Cut the NIC</source>
        <translation>断开网卡(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;NVLink at 50 %</source>
        <translation>NVLink 降到 50 %(&amp;N)</translation>
    </message>
    <message>
        <source>N&amp;VLink at 10 %</source>
        <translation>NVLink 降到 10 %(&amp;V)</translation>
    </message>
    <message>
        <source>C&amp;ut the NVLink</source>
        <translation>断开 NVLink(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Restore the Links of the Selected GPU</source>
        <translation>恢复所选 GPU 的链路(&amp;R)</translation>
    </message>
    <message>
        <source>Follow the Playhea&amp;d</source>
        <translation>跟随播放头(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Change a Knob…</source>
        <translation>修改参数(&amp;C)…</translation>
    </message>
    <message>
        <source>Find a Better &amp;Layout…</source>
        <translation>寻找更好的布局(&amp;L)…</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <comment>name of the run, file</comment>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>Nothing here is called “%1”. Try “slow GPU”, “stage 0”, “replica 1”, “GPU 7” or a rank&apos;s number.</source>
        <translation>这里没有名为“%1”的对象。请试试“慢 GPU”、“阶段 0”、“副本 1”、“GPU 7”或 rank 编号。</translation>
    </message>
    <message>
        <source>Re&amp;name This Run…</source>
        <translation>重命名此运行(&amp;N)…</translation>
    </message>
    <message>
        <source>Show the Whole Iter&amp;ation</source>
        <translation>显示整个迭代(&amp;A)</translation>
    </message>
    <message>
        <source>Re&amp;set the Layout</source>
        <translation>恢复窗口布局(&amp;S)</translation>
    </message>
    <message>
        <source>Full Scr&amp;een</source>
        <translation>全屏(&amp;E)</translation>
    </message>
    <message>
        <source>Remove the Baseline, or Bring &amp;It Back</source>
        <translation>移除或恢复基线(&amp;I)</translation>
    </message>
    <message>
        <source>Fit All Sta&amp;ges</source>
        <translation>显示全部阶段(&amp;G)</translation>
    </message>
    <message>
        <source>Prese&amp;ntation</source>
        <translation>演示模式(&amp;N)</translation>
    </message>
    <message>
        <source>Next Vie&amp;w of the Presentation</source>
        <translation>演示：下一个视图(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Busiest Links…</source>
        <translation>最繁忙的链路(&amp;B)…</translation>
    </message>
</context>
<context>
    <name>clusterbeat::MemoryBar</name>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>%1 of %2: does not fit</source>
        <translation>%1 / %2：放不下</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>clusterbeat::MemoryChart</name>
    <message>
        <source>Memory over the iteration</source>
        <translation>一次迭代中的显存</translation>
    </message>
    <message>
        <source>from %1 at the start to %2 at %3; capacity %4</source>
        <translation>开始时 %1，%3 时达到 %2；容量 %4</translation>
    </message>
    <message>
        <source>Capacity %1</source>
        <translation>容量 %1</translation>
    </message>
    <message>
        <source>now %1</source>
        <translation>当前 %1</translation>
    </message>
    <message>
        <source>%1: %2, of it activations %3</source>
        <translation>%1：%2，其中激活 %3</translation>
    </message>
</context>
<context>
    <name>clusterbeat::MenuBar</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>clusterbeat::NoteBar</name>
    <message>
        <source>Close this note</source>
        <translation>关闭此提示</translation>
    </message>
</context>
<context>
    <name>clusterbeat::PageSwitch</name>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>clusterbeat::ParetoChart</name>
    <message>
        <source>Iteration, s</source>
        <translation>迭代时间（秒）</translation>
    </message>
    <message>
        <source>Memory of the fullest GPU, GB</source>
        <translation>最满 GPU 的显存（GB）</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>Capacity</source>
        <translation>容量</translation>
    </message>
    <message>
        <source>Chosen</source>
        <translation>所选</translation>
    </message>
    <message>
        <source>Layouts by iteration time and memory</source>
        <translation>按迭代时间和显存排列的布局</translation>
    </message>
    <message>
        <source>Front</source>
        <translation>前沿</translation>
    </message>
</context>
<context>
    <name>clusterbeat::PulseLegend</name>
    <message>
        <source>One iteration</source>
        <translation>一次迭代</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功率</translation>
    </message>
    <message>
        <source>Cluster power</source>
        <translation>集群功率</translation>
    </message>
    <message>
        <source>Breakdown of the iteration</source>
        <translation>迭代的时间构成</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Mean over all ranks. Click: only this; Shift+click: hide.</source>
        <translation>所有 rank 的平均。单击：只看此项；Shift+单击：隐藏。</translation>
    </message>
    <message>
        <source>Behind compute</source>
        <translation>被计算掩盖</translation>
    </message>
    <message>
        <source>Communication behind compute</source>
        <translation>被计算掩盖的通信</translation>
    </message>
    <message>
        <source>Communication that runs while the GPU computes: it costs no time. Mean over all ranks, not part of the sum.</source>
        <translation>GPU 计算时进行的通信：不花时间。所有 rank 的均值，不计入总和。</translation>
    </message>
    <message>
        <source>Of all communication %1 is hidden, %2 exposed, %3 runs beside other waits.</source>
        <translation>全部通信中 %1 被掩盖，%2 未掩盖，%3 与其他等待同时。</translation>
    </message>
    <message>
        <source>In the timeline: the narrow lane under each stage holds gathers and reductions, its lower half transfers between stages.</source>
        <translation>时间线中：每一级下面的窄条是收集与归约，其下半部分是级间传输。</translation>
    </message>
</context>
<context>
    <name>clusterbeat::PulseStrip</name>
    <message>
        <source>Pulse: share of GPUs over the iteration</source>
        <translation>脉搏：一次迭代中 GPU 的占比</translation>
    </message>
    <message>
        <source>1 replica waits</source>
        <translation>1 个副本在等</translation>
    </message>
    <message>
        <source>%1 replicas wait</source>
        <translation>%1 个副本在等</translation>
    </message>
    <message>
        <source>GPU share</source>
        <translation>GPU 占比</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>此刻</translation>
    </message>
    <message>
        <source>busy</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>range %1 to %2</source>
        <translation>范围 %1 至 %2</translation>
    </message>
</context>
<context>
    <name>clusterbeat::RecoveryController</name>
    <message>
        <source>Unsaved changes cannot be kept for recovery: %1 cannot be written to.</source>
        <translation>无法保留未保存的更改以供恢复：%1 不可写。</translation>
    </message>
    <message>
        <source>a document that was never saved</source>
        <translation>从未保存的文档</translation>
    </message>
    <message>
        <source>Recover unsaved work</source>
        <translation>恢复未保存的工作</translation>
    </message>
    <message>
        <source>Clusterbeat was ended with unsaved changes.</source>
        <translation>Clusterbeat 上次结束时有未保存的更改。</translation>
    </message>
    <message>
        <source>Changes to %1 were kept at %2.</source>
        <translation>对 %1 的更改保留于 %2。</translation>
    </message>
    <message>
        <source>&amp;Recover</source>
        <translation>恢复(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>丢弃(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Not Now</source>
        <translation>暂不(&amp;N)</translation>
    </message>
    <message>
        <source>Cannot recover %1</source>
        <translation>无法恢复 %1</translation>
    </message>
</context>
<context>
    <name>clusterbeat::RunPanel</name>
    <message>
        <source>Run</source>
        <translation>训练</translation>
    </message>
</context>
<context>
    <name>clusterbeat::SearchController</name>
    <message>
        <source>Layout: %1</source>
        <translation>布局：%1</translation>
    </message>
</context>
<context>
    <name>clusterbeat::SearchDialog</name>
    <message>
        <source>%1 layouts are possible, %2 were simulated, the others are ruled out by bounds. Enter takes the chosen one.</source>
        <translation>共有 %1 种可行布局，模拟了 %2 种，其余由下界排除。按 Enter 采用所选布局。</translation>
    </message>
    <message>
        <source>Find a better layout</source>
        <translation>寻找更好的布局</translation>
    </message>
    <message>
        <source>May recompute activations</source>
        <translation>允许重计算激活值</translation>
    </message>
    <message>
        <source>Micro-batch no larger than now</source>
        <translation>微批不大于现在</translation>
    </message>
    <message>
        <source>Keep the schedule</source>
        <translation>保持调度</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Take this layout</source>
        <translation>采用这个布局</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Layouts searched</source>
        <translation>搜索进度</translation>
    </message>
    <message>
        <source>Layouts found, fastest first</source>
        <translation>找到的布局，最快的在前</translation>
    </message>
    <message>
        <source>The fastest layouts of this model on this cluster, with the same global batch, without perturbations.</source>
        <translation>这个模型在这个集群上最快的布局，全局批大小不变，不含扰动。</translation>
    </message>
</context>
<context>
    <name>clusterbeat::SideRail</name>
    <message>
        <source>Change the run</source>
        <translation>修改训练配置</translation>
    </message>
</context>
<context>
    <name>clusterbeat::SoftwarePanel</name>
    <message>
        <source>%1   not possible</source>
        <translation>%1   不可行</translation>
    </message>
    <message>
        <source>%1   %2, does not fit</source>
        <translation>%1   %2，装不下</translation>
    </message>
    <message>
        <source>%1   %2</source>
        <translation>%1   %2</translation>
    </message>
    <message>
        <source>could save %1</source>
        <translation>可省 %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Software, flag by flag</source>
        <translation>软件：逐项开关</translation>
    </message>
    <message>
        <source>What every flag of the training software costs or saves here: one simulation each</source>
        <translation>训练软件的每个开关在此增加或节省多少：各模拟一次</translation>
    </message>
    <message>
        <source>Seconds are the change of this iteration with just that value; estimates of the calibrated cost model.</source>
        <translation>时间为仅改这一项时本次迭代的变化；由校准的成本模型估计。</translation>
    </message>
    <message>
        <source>Flags simulated</source>
        <translation>已模拟的开关</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>clusterbeat::StatusLine</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>? keys</source>
        <translation>? 快捷键</translation>
    </message>
    <message>
        <source>Show all keys</source>
        <translation>显示所有快捷键</translation>
    </message>
    <message>
        <source>Simulation progress</source>
        <translation>模拟进度</translation>
    </message>
    <message>
        <source>Simulated %1 operations on %2 GPUs in %3</source>
        <translation>已模拟 %2 张 GPU 的 %1 个算子，用时 %3</translation>
    </message>
    <message>
        <source>Simulated %1 operations on %2 GPUs</source>
        <translation>已模拟 %2 张 GPU 的 %1 个算子</translation>
    </message>
    <message>
        <source>Visible %1 to %2</source>
        <translation>可见 %1 至 %2</translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation>已选：%1</translation>
    </message>
    <message>
        <source>Nothing selected</source>
        <translation>未选择</translation>
    </message>
</context>
<context>
    <name>clusterbeat::TimelineView</name>
    <message>
        <source>%1, micro-batch %2, chunk %3</source>
        <translation>%1，微批 %2，块 %3</translation>
    </message>
    <message>
        <source>%1, 1 stage</source>
        <translation>%1，1 级</translation>
    </message>
    <message>
        <source>%1, %2 stages</source>
        <translation>%1，%2 级</translation>
    </message>
    <message>
        <source>%1  %2  (%3)</source>
        <comment>category, time, share</comment>
        <translation>%1  %2  (%3)</translation>
    </message>
    <message>
        <source>Replica %1</source>
        <translation>副本 %1</translation>
    </message>
    <message>
        <source>Click to show its stages</source>
        <translation>单击以显示其各级</translation>
    </message>
    <message>
        <source>Stage %1: %2 from %3</source>
        <translation>第 %1 级：%2，自 %3</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>等待%1</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <comment>milliseconds</comment>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>%1 s</source>
        <comment>seconds</comment>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>1 replica</source>
        <translation>1 个副本</translation>
    </message>
    <message>
        <source>%1 replicas</source>
        <translation>%1 副本</translation>
    </message>
    <message>
        <source>Stage %1 holds %2 at %3 speed; the other stages wait for it</source>
        <translation>第 %1 级的 %2 以 %3 速度运行；其余各级在等它</translation>
    </message>
    <message>
        <source>behaves like no other replica</source>
        <translation>与其他副本都不同</translation>
    </message>
    <message>
        <source>one other replica behaves alike</source>
        <translation>另有 1 个副本与它相同</translation>
    </message>
    <message>
        <source>%1 other replicas behave alike</source>
        <translation>另有 %1 个副本与它相同</translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation>第 %1 级</translation>
    </message>
    <message>
        <source>iteration</source>
        <translation>迭代</translation>
    </message>
    <message>
        <source>whole iteration</source>
        <translation>整次迭代</translation>
    </message>
    <message>
        <source>Replica %1, stage %2, %3: %4</source>
        <translation>副本 %1，第 %2 级，%3：%4</translation>
    </message>
    <message>
        <source>Stage %1: %2; the other stages wait for it</source>
        <translation>第 %1 级：%2；其他级都在等它</translation>
    </message>
    <message>
        <source>Communication behind compute: %1</source>
        <translation>被计算掩盖的通信：%1</translation>
    </message>
    <message>
        <source>compute %1</source>
        <translation>计算 %1</translation>
    </message>
    <message>
        <source>; behind compute: %1</source>
        <translation>；被计算掩盖：%1</translation>
    </message>
    <message>
        <source>%1, micro-batch %2</source>
        <translation>%1，微批次 %2</translation>
    </message>
</context>
<context>
    <name>clusterbeat::TitleRow</name>
    <message>
        <source>%1 · edited</source>
        <translation>%1 · 已修改</translation>
    </message>
    <message>
        <source>Document: %1</source>
        <translation>文档：%1</translation>
    </message>
</context>
<context>
    <name>clusterbeat::TransportBar</name>
    <message>
        <source>To the start</source>
        <translation>到开头</translation>
    </message>
    <message>
        <source>To the start of the iteration (Home)</source>
        <translation>到迭代开头 (Home)</translation>
    </message>
    <message>
        <source>Previous event</source>
        <translation>上一事件</translation>
    </message>
    <message>
        <source>To the previous event (,)</source>
        <translation>到上一事件 (,)</translation>
    </message>
    <message>
        <source>Next event</source>
        <translation>下一事件</translation>
    </message>
    <message>
        <source>To the next event (.)</source>
        <translation>到下一事件 (.)</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Pause (Space)</source>
        <translation>暂停 (空格)</translation>
    </message>
    <message>
        <source>Play (Space)</source>
        <translation>播放 (空格)</translation>
    </message>
    <message>
        <source>Loop</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>Start again at the end (L)</source>
        <translation>到结尾后重新开始 (L)</translation>
    </message>
    <message>
        <source>Playback speed</source>
        <translation>播放速度</translation>
    </message>
    <message>
        <source>Playback speed against real time</source>
        <translation>相对真实时间的播放速度</translation>
    </message>
    <message>
        <source>Slower</source>
        <translation>减速</translation>
    </message>
    <message>
        <source>Slower ([)</source>
        <translation>减速 ([)</translation>
    </message>
    <message>
        <source>Faster</source>
        <translation>加速</translation>
    </message>
    <message>
        <source>Faster (])</source>
        <translation>加速 (])</translation>
    </message>
    <message>
        <source>Playhead</source>
        <translation>播放头</translation>
    </message>
    <message>
        <source>Playhead. Ticks: first backward, last forward, last backward</source>
        <translation>播放头。刻度：首个反向、最后的前向、最后的反向</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Go to a GPU path, a rank, a stage or a replica (/)</source>
        <translation>转到 GPU 路径、rank、流水级或副本 (/)</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Go to GPU, rank, stage   /</source>
        <translation>转到 GPU、rank、流水级   /</translation>
    </message>
    <message>
        <source>Pin baseline</source>
        <translation>设为基线</translation>
    </message>
    <message>
        <source>Baseline %1</source>
        <translation>基线 %1</translation>
    </message>
    <message>
        <source>Baseline: %1</source>
        <translation>基线：%1</translation>
    </message>
    <message>
        <source>Pin this run as the baseline</source>
        <translation>将此次结果设为基线</translation>
    </message>
    <message>
        <source>Compare everything with the run as it is now</source>
        <translation>以当前结果作为一切比较的基线</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Keep the playhead in sight; zooming ends it (Shift+F)</source>
        <translation>使播放头保持可见；缩放即停止跟随（Shift+F）</translation>
    </message>
</context>
<context>
    <name>clusterbeat::ValidationChart</name>
    <message>
        <source>Measured, s</source>
        <translation>实测（s）</translation>
    </message>
    <message>
        <source>Predicted, s</source>
        <translation>预测（s）</translation>
    </message>
    <message>
        <source>Predicted against measured time</source>
        <translation>预测时间与实测时间</translation>
    </message>
    <message>
        <source>Tier A</source>
        <translation>A 级</translation>
    </message>
    <message>
        <source>Tier B</source>
        <translation>B 级</translation>
    </message>
    <message>
        <source>Tier C</source>
        <translation>C 级</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>dense</source>
        <translation>稠密</translation>
    </message>
    <message>
        <source>experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>equal, ±10 %</source>
        <translation>相等，±10 %</translation>
    </message>
    <message>
        <source>Runs on show: %1; the arrow keys choose one</source>
        <translation>显示 %1 个运行；用方向键选择</translation>
    </message>
</context>
<context>
    <name>clusterbeat::ValidationModel</name>
    <message>
        <source>experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>dense</source>
        <translation>稠密</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Accelerator</source>
        <translation>加速器</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU 数</translation>
    </message>
    <message>
        <source>Tier</source>
        <translation>等级</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Measured, s</source>
        <translation>实测（s）</translation>
    </message>
    <message>
        <source>Predicted, s</source>
        <translation>预测（s）</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Why out of range</source>
        <translation>超出范围的原因</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
</context>
<context>
    <name>clusterbeat::ValidationPage</name>
    <message>
        <source>Validation against published runs</source>
        <translation>与已公布运行对照验证</translation>
    </message>
    <message>
        <source>Predicted against measured</source>
        <translation>预测与实测对照</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Compute Again</source>
        <translation>重新计算</translation>
    </message>
    <message>
        <source>Simulates every published run again</source>
        <translation>重新模拟每个已公布的运行</translation>
    </message>
    <message>
        <source>Runs simulated</source>
        <translation>已模拟的运行</translation>
    </message>
    <message>
        <source>Filter by model, source or id</source>
        <translation>按模型、来源或编号筛选</translation>
    </message>
    <message>
        <source>Tier</source>
        <translation>等级</translation>
    </message>
    <message>
        <source>Kind of model</source>
        <translation>模型类型</translation>
    </message>
    <message>
        <source>Accelerator</source>
        <translation>加速器</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Out of range only</source>
        <translation>仅超出范围</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Clear every filter</source>
        <translation>清除所有筛选</translation>
    </message>
    <message>
        <source>Open as Scenario</source>
        <translation>作为场景打开</translation>
    </message>
    <message>
        <source>Makes this run the document (Enter)</source>
        <translation>把此运行作为文档打开（回车）</translation>
    </message>
    <message>
        <source>Published runs</source>
        <translation>已公布的运行</translation>
    </message>
    <message>
        <source>Plot at the left, table at the right</source>
        <translation>左侧为图，右侧为表</translation>
    </message>
    <message>
        <source>Every tier</source>
        <translation>所有等级</translation>
    </message>
    <message>
        <source>Every kind</source>
        <translation>所有类型</translation>
    </message>
    <message>
        <source>Every accelerator</source>
        <translation>所有加速器</translation>
    </message>
    <message>
        <source>Every source</source>
        <translation>所有来源</translation>
    </message>
    <message>
        <source>Simulating the published runs…</source>
        <translation>正在模拟已公布的运行…</translation>
    </message>
    <message>
        <source>No run is chosen</source>
        <translation>未选择运行</translation>
    </message>
    <message>
        <source>Remark of the table: %1</source>
        <translation>表中备注：%1</translation>
    </message>
    <message>
        <source>In range: within %1 of the measurement.</source>
        <translation>在范围内：与实测相差不超过 %1。</translation>
    </message>
    <message>
        <source>%1 of %2 runs</source>
        <translation>%1 / %2 个运行</translation>
    </message>
    <message>
        <source>tier %1 %2</source>
        <translation>%1 级 %2</translation>
    </message>
    <message>
        <source>mean error: %1</source>
        <translation>平均误差：%1</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>%1 out of range</source>
        <translation>%1 个超出范围</translation>
    </message>
    <message>
        <source>%1 refused</source>
        <translation>%1 个被拒绝</translation>
    </message>
    <message>
        <source>Why out of range</source>
        <translation>超出范围的原因</translation>
    </message>
</context>
<context>
    <name>clusterbeat::WhatIfController</name>
    <message>
        <source>Select a GPU first: click one in the cluster, or search with /.</source>
        <translation>请先选择一张 GPU：在集群中单击，或按 / 搜索。</translation>
    </message>
    <message>
        <source>Restore %1 of %2</source>
        <translation>恢复 %2 的%1</translation>
    </message>
    <message>
        <source>Cut %1 of %2</source>
        <translation>断开 %2 的%1</translation>
    </message>
    <message>
        <source>%1 of %2 at %3</source>
        <translation>%2 的%1降到 %3</translation>
    </message>
    <message>
        <source>Restore the links of %1</source>
        <translation>恢复 %1 的链路</translation>
    </message>
    <message>
        <source>Nothing is simulated yet.</source>
        <translation>尚未模拟。</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>clusterbeat::WhatIfPanel</name>
    <message>
        <source>What if?</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>GPU speed</source>
        <translation>GPU 速度</translation>
    </message>
    <message>
        <source>Speed of the GPU in percent</source>
        <translation>GPU 速度（百分比）</translation>
    </message>
    <message>
        <source>Nominal</source>
        <translation>标称</translation>
    </message>
    <message>
        <source>Nominal speed</source>
        <translation>标称速度</translation>
    </message>
    <message>
        <source>Speed %1</source>
        <translation>速度 %1</translation>
    </message>
    <message>
        <source>NVLink</source>
        <translation>NVLink</translation>
    </message>
    <message>
        <source>NIC</source>
        <translation>网卡</translation>
    </message>
    <message>
        <source>NVLink of the GPU</source>
        <translation>该 GPU 的 NVLink</translation>
    </message>
    <message>
        <source>NIC of the GPU</source>
        <translation>该 GPU 的网卡</translation>
    </message>
    <message>
        <source>root cause: %1</source>
        <translation>根因：%1</translation>
    </message>
    <message>
        <source>%1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>Dead</source>
        <translation>已断</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Set by a perturbation in the list of what is active on this run</source>
        <translation>由本次运行的扰动列表设定</translation>
    </message>
    <message>
        <source>Iteration %1, nothing is slow</source>
        <translation>迭代 %1，没有慢的部件</translation>
    </message>
    <message>
        <source>Iteration %1: hidden by waits that were there anyway</source>
        <translation>迭代 %1：被原有的等待掩盖</translation>
    </message>
    <message>
        <source>Iteration %1, %2 against the run without faults</source>
        <translation>迭代 %1，比无故障时 %2</translation>
    </message>
</context>
</TS>
