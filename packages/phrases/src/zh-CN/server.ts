/** What the server itself says: names it seeds, its own pages, the heads of its files. */
export const server = {
  'position.platform': '平台运营',
  'position.agent': '代理商',
  'position.registered': '注册用户',
  'user.administrator': '系统管理员',
  'config.debt_limit_fen': '欠费上限（分）',
  'config.debt_limit_fen.remark': '欠费超过此金额的卡或用户不能再启动充电。单位为分:1000 即 10 元。',
  'config.sys_title': '系统标题',
  'config.sys_title.remark': '登录页和浏览器标签上的名称，下次打开页面时生效',
  'config.screen_url': '数据大屏地址',
  'config.screen_url.remark':
    '以 / 开头的本系统页面，或以 http(s) 开头的网址；打开时会带上登录令牌，请只填写可信的地址',
  'export.latencyMs': '应答耗时（毫秒）',
  'export.wireName': '报文标识',
  'export.yuan': '元',
  'apiDocs.title': 'Voltdeck 接口说明',
  'apiDocs.introduction':
    '请求头 token 为登录所得令牌，language 为 zh-CN 或 en。所有应答为 { message: { status, code, message }, data }：成功时 status 为 200、code 为 0；失败时二者与 HTTP 状态码一致，error 为错误码，fields 指出有误的字段。金额单位为分，电量单位为 Wh，单价单位为 0.00001 元/kWh，均为整数。',
  'console.notBuilt': '控制台尚未构建。运行 npm start 会自动构建；接口可正常使用，说明见 /api/docs。',
} as const;
