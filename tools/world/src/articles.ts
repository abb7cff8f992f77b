import type { ArticleCategory } from '@voltdeck/contract/articles';

/** Where the picture of the user guide goes. */
export const guidePicturePlace = '{picture}';

/** The articles of the apps. The operator is invented, like the agents. */
export const articles: readonly {
  title: string;
  key: string | null;
  category: ArticleCategory;
  remark: string;
  enabled: boolean;
  content: string;
}[] = [
  {
    title: '充电使用指南',
    key: 'user-guide',
    category: 'guide',
    remark: '小程序“使用指南”页',
    enabled: true,
    content: `<h2>三步开始充电</h2>
<p>${guidePicturePlace}</p>
<ol>
<li><p><strong>停车插枪</strong>：将车辆停入充电车位，关闭车辆电源，拔出充电枪插入车辆充电口，听到“咔哒”声表示插紧。</p></li>
<li><p><strong>扫码或刷卡</strong>：用小程序扫描枪口上的二维码，确认电价后点击“开始充电”；也可以将充电卡贴在刷卡区。</p></li>
<li><p><strong>结束拔枪</strong>：在小程序点击“结束充电”或再次刷卡，等待约 5 秒，枪锁打开后拔枪归位。</p></li>
</ol>
<h2>费用怎么算</h2>
<p>费用由<strong>电费</strong>和<strong>服务费</strong>两部分组成，按尖、峰、平、谷四个时段分别计价，以开始充电时页面显示的价格为准。订单详情里可以看到每个时段的电量和单价。</p>
<table><thead><tr><th>时段</th><th>适合</th></tr></thead><tbody>
<tr><td>谷</td><td>夜间补电，价格最低</td></tr>
<tr><td>平</td><td>日常充电</td></tr>
<tr><td>峰、尖</td><td>应急补电，建议够用即可</td></tr>
</tbody></table>
<h2>充电注意事项</h2>
<ul>
<li><p>雨天请保持枪头干燥，发现枪头破损请勿使用并通过“意见反馈”告诉我们。</p></li>
<li><p>充满后请在 15 分钟内驶离，方便他人使用。</p></li>
<li><p>遇到无法停止充电，请按下充电桩上的红色急停按钮，再联系 <a href="tel:4000000000">400-000-0000</a>。</p></li>
</ul>`,
  },
  {
    title: '两轮车充电说明',
    key: 'two-wheel-guide',
    category: 'guide',
    remark: '',
    enabled: true,
    content: `<h2>扫码选插座</h2>
<p>将充电器先接车、后接插座，扫描充电箱上的二维码，选择插座号和时长，付款后 10 秒内通电。</p>
<h2>按功率分档计费</h2>
<p>系统按实际最大功率自动分档。提前充满或拔下插头，未使用的时长会原路退回。</p>
<blockquote><p>请使用原装充电器。功率超过插座上限时系统会自动断电，以保障安全。</p></blockquote>`,
  },
  {
    title: '关于我们',
    key: 'about-us',
    category: 'about',
    remark: '小程序“关于我们”页',
    enabled: true,
    content: `<h2 style="text-align:center">让每一次补能都简单可靠</h2>
<p>我们在全国多个城市运营公共快充站、目的地慢充桩和社区两轮车充电箱，与各地代理商一起为车主提供全天候的充电服务。</p>
<p>所有站点 24 小时远程值守，故障在线告警，价格与账单逐段可查。</p>
<p>客服电话：<a href="tel:4000000000">400-000-0000</a>（08:00–22:00）</p>`,
  },
  {
    title: '用户协议',
    key: 'agreement',
    category: 'about',
    remark: '注册页引用，修改前请与法务确认',
    enabled: true,
    content: `<h2>一、服务内容</h2>
<p>本协议由您与平台运营方订立。平台向您提供充电站点查询、充电启停、费用结算及与之相关的服务。</p>
<h2>二、账户与充值</h2>
<p>您应使用本人手机号注册并妥善保管账户。充值余额仅用于支付充电费用，可随时申请提现，原路退回。</p>
<h2>三、计费与结算</h2>
<p>费用以充电桩计量的电量和下单时展示的价格计算。对账单有异议的，可在 90 日内通过“意见反馈”提出，我们将在 3 个工作日内答复。</p>
<h2>四、安全使用</h2>
<p>请按照现场标识和使用指南操作，不得拆改充电设备，不得为存在安全隐患的车辆或电池充电。</p>
<h2>五、协议变更</h2>
<p>协议变更前我们会提前 7 日在本页面公示。继续使用即视为同意变更后的协议。</p>`,
  },
  {
    title: '隐私政策',
    key: 'privacy',
    category: 'about',
    remark: '应用商店审核需要，保持可访问',
    enabled: true,
    content: `<h2>我们收集哪些信息</h2>
<ul>
<li><p><strong>手机号</strong>：用于注册、登录和订单通知。</p></li>
<li><p><strong>位置</strong>：仅在您允许后，用于查找附近的站点，不在后台持续收集。</p></li>
<li><p><strong>订单与充电数据</strong>：用于计费、开票和故障排查。</p></li>
</ul>
<h2>我们怎样保存</h2>
<p>信息保存在中国境内的服务器上。订单与账务记录按法律要求保存，其余信息在账户注销后删除或匿名化。</p>
<h2>我们向谁提供</h2>
<p>仅在完成服务所必需时提供给支付机构、互联互通运营商和您所使用站点的代理商，且只提供必要的部分。</p>
<h2>您的权利</h2>
<p>您可以查询、更正、导出或删除个人信息，也可以注销账户。请通过“意见反馈”或客服电话联系我们。</p>`,
  },
  {
    title: '加盟合作',
    key: 'join-us',
    category: 'other',
    remark: '',
    enabled: true,
    content: `<h2>我们在找这样的伙伴</h2>
<ul><li><p>有可用车位和 250 kVA 以上电力容量的物业、园区、停车场</p></li><li><p>希望托管已有充电桩的业主</p></li></ul>
<p>平台提供设备接入、定价、结算与分润、7×24 小时值守。请致电 <a href="tel:4000000000">400-000-0000</a> 转 2。</p>`,
  },
  {
    title: '发票常见问题',
    key: null,
    category: 'guide',
    remark: '',
    enabled: true,
    content: `<h3>什么时候可以开票？</h3><p>订单完成后即可申请，一次可合并最多 100 笔订单。</p>
<h3>多久能收到？</h3><p>电子发票通常在 1 个工作日内发送到您填写的邮箱。</p>
<h3>抬头写错了怎么办？</h3><p>当月可以作废重开，跨月请联系客服。</p>`,
  },
  {
    title: '中秋国庆服务公告',
    key: null,
    category: 'other',
    remark: '节后已下线',
    enabled: false,
    content: `<p>9 月 30 日至 10 月 8 日，高速沿线站点安排现场值守，充电车位预计较满，建议错峰补电。</p><p><em>祝您出行平安。</em></p>`,
  },
];
