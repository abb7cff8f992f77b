/** Invented operators; `parent` is an index into this list. Phone numbers use the unassigned range 154. */
export const agents: readonly { name: string; parent: number | null; phone: string }[] = [
  { name: '澄光能源(北京)有限公司', parent: null, phone: '15410020001' },
  { name: '沐川充电运营(上海)有限公司', parent: null, phone: '15410020002' },
  { name: '岭南驿电科技(广州)有限公司', parent: null, phone: '15410020003' },
  { name: '西行绿能(成都)有限公司', parent: null, phone: '15410020004' },
  { name: '楚风快充(武汉)有限公司', parent: null, phone: '15410020005' },
  { name: '岭南驿电深圳分公司', parent: 2, phone: '15410020006' },
  { name: '沐川充电苏南分公司', parent: 1, phone: '15410020007' },
  { name: '澄光能源北方分公司', parent: 0, phone: '15410020008' },
];
