/** What the server itself says: names it seeds, its own pages, the heads of its files. */
export const server = {
  'position.platform': '平台运营',
  'position.agent': '代理商',
  'position.registered': '注册用户',
  'user.administrator': '系统管理员',
  'config.readings_kept_days': '充电日志保留天数',
  'config.readings_kept_days.remark':
    '充电读数和BMS报文保留的天数，30到3650；更早的读数会被删除，订单仍保留简化的充电曲线。',
  'config.debt_limit_fen': '欠费上限（分）',
  'config.debt_limit_fen.remark': '欠费超过此金额的卡或用户不能再启动充电。单位为分：1000 即 10 元。',
  'config.sys_title': '系统标题',
  'config.sys_title.remark': '登录页和浏览器标签上的名称，下次打开页面时生效',
  'config.screen_url': '数据大屏地址',
  'config.screen_url.remark':
    '以 / 开头的本系统页面，或以 http(s) 开头的网址；打开时会带上登录令牌，请只填写可信的地址',
  'config.navigation_apps': '导航服务',
  'config.navigation_apps.remark':
    '站点提供哪些导航链接，按显示顺序用逗号分隔：amap（高德）、baidu（百度）、tencent（腾讯）、apple（苹果）；none 表示不显示',
  'config.site_facilities': '站点配套设施',
  'config.site_facilities.remark':
    '站点可选的更多配套设施，每行一个：编码=中文名称|英文名称，例如 lounge=休息室|Lounge',
  'config.second_person_order_refund_fen': '订单退款复核额度（分）',
  'config.second_person_order_refund_fen.remark':
    '超过此金额的退款须由另一人审批后执行，同一人24小时内对同一对象的金额合并计算。单位为分：50000 即 500 元；0 表示全部须审批，off 表示不审批。',
  'config.second_person_order_settlement_fen': '手动结算复核额度（分）',
  'config.second_person_order_settlement_fen.remark':
    '超过此金额的手动结算须由另一人审批后执行，同一人24小时内对同一对象的金额合并计算。单位为分：50000 即 500 元；0 表示全部须审批，off 表示不审批。',
  'config.second_person_transfer_fen': '转款复核额度（分）',
  'config.second_person_transfer_fen.remark':
    '超过此金额的转款须由另一人审批后执行，同一人24小时内对同一对象的金额合并计算。单位为分：50000 即 500 元；0 表示全部须审批，off 表示不审批。',
  'config.second_person_recharge_fen': '后台充值复核额度（分）',
  'config.second_person_recharge_fen.remark':
    '超过此金额的充值须由另一人审批后执行，同一人24小时内对同一对象的金额合并计算。单位为分：50000 即 500 元；0 表示全部须审批，off 表示不审批。',
  'config.second_person_recharge_refund_fen': '充值冲正复核额度（分）',
  'config.second_person_recharge_refund_fen.remark':
    '超过此金额的充值冲正须由另一人审批后执行，同一人24小时内对同一对象的金额合并计算。单位为分：50000 即 500 元；0 表示全部须审批，off 表示不审批。',
  'config.second_person_tariff_default_e5': '默认计费规则复核额度（0.00001元/kWh）',
  'config.second_person_tariff_default_e5.remark':
    '设置默认计费规则时，任一时段单价变化超过此值须由另一人审批后执行。单位为 0.00001 元/kWh：10000 即 0.1 元；0 表示全部须审批，off 表示不审批。',
  'export.latencyMs': '应答耗时（毫秒）',
  'export.wireName': '报文标识',
  'export.yuan': '元',
  'agents.name': '代理商名称',
  'agents.stations': '充电桩数',
  'agents.prepaid': '预存余额',
  'apiDocs.title': 'Voltdeck 接口说明',
  'apiDocs.introduction':
    '请求头 token 为登录所得令牌，language 为 zh-CN 或 en。所有应答为 { message: { status, code, message }, data }：成功时 status 为 200、code 为 0；失败时二者与 HTTP 状态码一致，error 为错误码，fields 指出有误的字段。金额单位为分，电量单位为 Wh，单价单位为 0.00001 元/kWh，均为整数。',
  'console.notBuilt': '控制台尚未构建。运行 npm start 会自动构建；接口可正常使用，说明见 /api/docs。',
} as const;
