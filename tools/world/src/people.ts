import type { DataScope } from '@voltdeck/contract/permissions';
import type { Random } from '@voltdeck/simulator/seeded';

/** Positions of an operator of this size, besides the two of every installation. */
export const positions: readonly {
  name: string;
  description: string;
  dataScope: DataScope;
  /** Screens by their menu, buttons by their permission. */
  menuCodes: readonly string[];
}[] = [
  {
    name: '财务',
    description: '对账、结算、开票、充值与退款',
    dataScope: 'platform',
    menuCodes: [
      'home',
      'plotList',
      'orderListReal',
      'orderListHistory',
      'orderListAbnormal',
      'orderListRefund',
      'order.refund',
      'order.export',
      'rulesList',
      'registerUser',
      'personal.reveal',
      'cardList',
      'chongzhiRecods',
      'recharge',
      'recharge.create',
      'refund',
      'withdrawal.review',
      'withdrawal.pay',
      'financeList',
      'finance.holdings',
      'finance.grid_bill',
      'reconciliationList',
      'reconciliation.repair',
      'ledgerList',
      'invoiceList',
      'invoice.review',
      'invoice.send',
      'settlementList',
      'settlement.settle',
      'accountChildren',
      'shareTermsList',
      'operatorList',
      'tixianRecods',
      'agent_withdrawal.review',
      'agent_withdrawal.pay',
      'order.shares',
      'taskList',
    ],
  },
  {
    name: '站点值守',
    description: '本公司站点的现场值守',
    dataScope: 'agent',
    menuCodes: [
      'home',
      'plotList',
      'deviceList',
      'station.command',
      'portList',
      'connector.edit',
      'connector.test',
      'deviceLogOther',
      'deviceLogCharging',
      'orderListReal',
      'orderListHistory',
      'order.start',
      'order.stop',
      'taskList',
    ],
  },
];

/** The users who sign in. `position` is a name; the first two exist in every installation. */
export const demoUsers = (platformPosition: string, agentPosition: string) =>
  [
    { userName: 'ops', realName: '王海宁', position: platformPosition, agent: null, phone: '15410010001' },
    { userName: 'finance', realName: '刘思敏', position: '财务', agent: null, phone: '15410010002' },
    { userName: 'chengguang', realName: '赵立群', position: agentPosition, agent: 0, phone: '15410010003' },
    { userName: 'lingnan', realName: '黄嘉豪', position: agentPosition, agent: 2, phone: '15410010004' },
    { userName: 'xixing', realName: '周若溪', position: agentPosition, agent: 3, phone: '15410010005' },
    { userName: 'wangjing', realName: '孙国强', position: '站点值守', agent: 0, phone: '15410010006' },
  ] as const;

const surnames = '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎';
const titles = ['先生', '女士', '师傅', '同学', '老师'] as const;
const firstHalves = [
  '晨跑的',
  '追风的',
  '爱喝茶的',
  '城南',
  '夜归',
  '小城',
  '南山',
  '湖畔',
  '慢慢开的',
  '省电的',
] as const;
const secondHalves = ['老王', '阿杰', '小鹿', '司机', '橘子', '木子', '大白', '闲人', '阿梅', '骑士'] as const;

export function drawNickname(random: Random): string {
  if (random.chance(0.45)) return `${surnames.charAt(random.integer(0, surnames.length - 1))}${random.pick(titles)}`;
  if (random.chance(0.4)) {
    return `${surnames.charAt(random.integer(0, surnames.length - 1))}*${random.pick(['明', '华', '强', '丽', '伟', '静', '涛', '娟'])}`;
  }
  return `${random.pick(firstHalves)}${random.pick(secondHalves)}${random.chance(0.3) ? random.integer(2, 99) : ''}`;
}

/** Ranges that no mobile network in China uses: the numbers look real but reach nobody. */
const unusedRanges = ['154', '161', '163', '164'] as const;

/** Eleven digits; a different `index` gives a different number. */
export function phoneOf(index: number): string {
  const range = unusedRanges[index % unusedRanges.length];
  // A step without a common factor with ten million visits all of them.
  return `${range}2${String((index * 6_180_339 + 4_142_135) % 10_000_000).padStart(7, '0')}`;
}

/** Sixteen of 0-9 and A-F: issuer, batch and a running number, as printed on the card. */
export function cardNumberOf(index: number): string {
  return `A086${index < 1_500 ? '2501' : '2602'}${(0x10_0000 + index * 7).toString(16).toUpperCase().padStart(8, '0')}`;
}

/** The four bytes in the chip; a different `index` gives a different number. */
export function physicalNumberOf(index: number): string {
  return ((index * 2_654_435_761 + 0x5a17_c0de) % 0x1_0000_0000).toString(16).toUpperCase().padStart(8, '0');
}
