import type { server as zh } from '../zh-CN/server.ts';

export const server: Record<keyof typeof zh, string> = {
  'position.platform': 'Platform operations',
  'position.agent': 'Agent',
  'position.registered': 'Registered user',
  'user.administrator': 'Administrator',
  'config.debt_limit_fen': 'Debt limit (fen)',
  'config.debt_limit_fen.remark':
    'Whoever owes more than this for earlier charges cannot begin another. In fen: 1000 is ¥10.',
  'config.sys_title': 'Product title',
  'config.sys_title.remark': 'The name on the sign-in page and browser tabs, from the next load on',
  'config.screen_url': 'Big-data screen address',
  'config.screen_url.remark':
    'A page of this system beginning with / or a web address; the sign-in token is passed to it, so enter trusted addresses only',
  'export.latencyMs': 'Latency (ms)',
  'export.wireName': 'Name on the wire',
  'export.yuan': 'CNY',
  'apiDocs.title': 'Voltdeck API',
  'apiDocs.introduction':
    'Send the token from sign-in in the header token and zh-CN or en in language. Every answer is { message: { status, code, message }, data }: status 200 and code 0 on success; otherwise both repeat the HTTP status, error is the refusal’s code and fields names what to mend. Money is in fen, energy in Wh, prices in 0.00001 CNY per kWh, all whole numbers.',
  'console.notBuilt':
    'The console has not been built. npm start builds it; the API works and is described at /api/docs.',
};
