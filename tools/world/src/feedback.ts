import type { FeedbackKind, FeedbackState } from '@voltdeck/contract/feedbacks';
import { seeded } from '@voltdeck/simulator/seeded';
import { dayMs, hourMs, type Instant, instant, minuteMs } from '@voltdeck/units/instant';
import type { Customer, People } from './customers.ts';
import type { Network, Station } from './network.ts';
import type { FeedbackPicture } from './pictures.ts';

type Story = {
  kind: FeedbackKind;
  of: 'car' | 'two-wheel';
  description: string;
  annotation: string;
  reply: string;
  /** Nothing has to be done about it. */
  ignored?: true;
  picture?: FeedbackPicture;
};

/** Messages of users with the operator's replies. */
const stories: readonly Story[] = [
  {
    kind: 'cannot_start',
    of: 'car',
    description: '扫码后一直转圈，提示“设备未响应”，换了旁边的枪才充上。',
    annotation: '该桩当时离线 12 分钟，物联网卡信号弱，已重启并加装天线。',
    reply: '您好，该桩网络已修复，给您带来不便，已补偿 5 元充电券。',
  },
  {
    kind: 'cannot_start',
    of: 'car',
    description: '插枪后桩上亮红灯，屏幕显示绝缘检测失败，我的车在别的站都正常。',
    annotation: '现场检查枪头进水，已更换枪线，复测正常。',
    reply: '您好，枪头进水导致检测失败，已更换，可以正常使用。',
    picture: 'redLight',
  },
  {
    kind: 'cannot_start',
    of: 'two-wheel',
    description: '付了 2 元插座没电，等了五分钟也没反应，钱也没退。',
    annotation: '插座继电器粘连，已更换；订单 0 度自动关闭，费用已原路退回。',
    reply: '您好，2 元已原路退回，该插座已修好。',
  },
  {
    kind: 'connector_broken',
    of: 'car',
    description: '枪头卡扣断了，插上会自己松开，充到一半就停了。',
    annotation: '卡扣断裂，枪口已关闭，备件到货后更换。',
    reply: '您好，该枪已停用，预计三天内更换，请先使用同站其他枪。',
    picture: 'brokenPlug',
  },
  {
    kind: 'connector_broken',
    of: 'car',
    description: '充完拔不出枪，按了急停才松开，希望检查一下电子锁。',
    annotation: '电子锁机构润滑不足，已保养。',
    reply: '您好，电子锁已检修，感谢反馈。',
  },
  {
    kind: 'connector_broken',
    of: 'two-wheel',
    description: '三号插座面板烧黑了，看着挺吓人的，麻烦尽快处理。',
    annotation: '已断电更换面板，同批次插座安排抽检。',
    reply: '您好，该插座已更换，感谢您及时提醒。',
  },
  {
    kind: 'slow',
    of: 'car',
    description: '标的 120 kW，实际只有 38 kW，充了一个多小时。',
    annotation: '查功率曲线：两枪同充分流，另一枪先接入。属正常分配。',
    reply: '您好，该桩双枪共享功率，两车同时充电时会自动分配，建议选择空闲桩位。',
    ignored: true,
  },
  {
    kind: 'slow',
    of: 'car',
    description: '晚上充电功率忽高忽低，平时没这样。',
    annotation: '站点变压器负载超限触发限功率，已和物业协调夜间容量。',
    reply: '您好，夜间因站点容量临时限功率，已协调解决。',
  },
  {
    kind: 'bay_occupied',
    of: 'car',
    description: '两个车位都被油车占了，充电站成停车场了，能不能管管。',
    annotation: '已通知现场值守，加装地锁方案报批中。',
    reply: '您好，已安排现场疏导，后续会加装地锁。',
    picture: 'occupied',
  },
  {
    kind: 'bay_occupied',
    of: 'car',
    description: '有车充满了三个小时还不走，后面排了四辆车。',
    annotation: '已电话通知车主驶离。',
    reply: '您好，已联系车主驶离，占位费规则近期上线。',
  },
  {
    kind: 'billing',
    of: 'car',
    description: '页面显示 0.98 元/度，结算下来平均 1.35，是不是算错了？',
    annotation: '充电跨平、峰两个时段，账单逐段核对无误。',
    reply: '您好，本次充电跨了平、峰两个时段，订单详情可查看每段单价和电量。',
    ignored: true,
  },
  {
    kind: 'billing',
    of: 'car',
    description: '充电中断后又自动扣了一次，两笔订单时间重叠。',
    annotation: '网络恢复后补传，第二笔为同一次充电，已退款。',
    reply: '您好，重复的一笔已全额退款，请查收。',
  },
  {
    kind: 'billing',
    of: 'two-wheel',
    description: '选了四小时，两小时就充满了，剩下的钱没退给我。',
    annotation: '充满判定门限偏低，已按实际时长退款。',
    reply: '您好，未使用的时长已退回余额。',
  },
  {
    kind: 'suggestion',
    of: 'car',
    description: '希望首页能按电价排序，现在只能按距离找。',
    annotation: '已转产品。',
    reply: '谢谢建议，已列入改进计划。',
  },
  {
    kind: 'suggestion',
    of: 'two-wheel',
    description: '小区充电箱旁边没有灯，晚上看不清插座号，建议装个灯。',
    annotation: '已转物业。',
    reply: '谢谢建议，已与物业沟通安装照明。',
  },
  {
    kind: 'other',
    of: 'car',
    description: '把充电卡落在刷卡区了，请问捡到了吗？卡套是蓝色的。',
    annotation: '现场未找到，已指导用户挂失。',
    reply: '您好，现场暂未找到，建议先在小程序挂失。',
  },
];

export type Feedback = {
  kind: FeedbackKind;
  state: FeedbackState;
  description: string;
  annotation: string;
  reply: string;
  customer: Customer | null;
  /** Null if the person entered an unknown number. */
  station: Station | null;
  stationNumber: string;
  picture: FeedbackPicture | null;
  createdAt: Instant;
  handledAt: Instant | null;
};

const feedbackCount = 64;
const feedbackDays = 60;
/** Most feedback younger than this is still waiting. */
const freshMs = 2 * dayMs;

/** The feedback of the last two months, newest first; the same for the same seed. */
export function buildFeedback(network: Network, people: People): Feedback[] {
  const random = seeded(network.seed).fork('feedback');
  const stations = {
    car: network.stations.filter(({ kind }) => kind !== 'two-wheel'),
    'two-wheel': network.stations.filter(({ kind }) => kind === 'two-wheel'),
  };
  const feedback = Array.from({ length: feedbackCount }, (_, index): Feedback => {
    const draw = random.fork(`feedback ${index}`);
    const story = draw.pick(stories);
    // More of it is recent: a growing network gets more feedback.
    const ageMs = Math.floor(draw.next() ** 1.6 * feedbackDays * dayMs) + draw.integer(2, 55) * minuteMs;
    const createdAt = instant(network.now - ageMs);
    const isWaiting = ageMs < freshMs ? draw.chance(0.8) : draw.chance(0.04);
    const handledAt = isWaiting ? null : instant(createdAt + Math.floor(ageMs * draw.between(0.05, 0.4)));
    const station = draw.chance(0.88) ? draw.pick(stations[story.of]) : null;
    const known = draw.pick(network.stations).number;
    return {
      kind: story.kind,
      state: isWaiting ? 'waiting' : story.ignored === true ? 'ignored' : 'handled',
      description: story.description,
      annotation: isWaiting ? '' : story.annotation,
      reply: isWaiting ? '' : story.reply,
      customer: draw.chance(0.85) ? draw.pick(people.customers) : null,
      station,
      // Half a number from the sticker, or none at all.
      stationNumber: station?.number ?? (draw.chance(0.6) ? known.slice(0, 9) : ''),
      picture: story.picture !== undefined && draw.chance(0.7) ? story.picture : null,
      createdAt,
      handledAt: handledAt === null ? null : instant(Math.min(handledAt, createdAt + 30 * hourMs)),
    };
  });
  return feedback.sort((a, b) => b.createdAt - a.createdAt);
}
