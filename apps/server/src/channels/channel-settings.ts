import type { PaymentChannelName } from '@voltdeck/contract/payment-channels';

/** What PAYMENT_PROVIDER, PUBLIC_URL, WECHAT_… and ALIPAY_… say. Keys are paths of files, read at the start. */
export type ChannelSettings = {
  on: readonly PaymentChannelName[];
  /** Where this server is reached from outside, without a slash at the end; null: as the request says. */
  publicUrl: string | null;
  wechat: WechatSettings | null;
  alipay: AlipaySettings | null;
};

/** Holds a secret. */
export type WechatSettings = {
  mchId: string;
  appId: string;
  /** Decrypts notifications and platform certificates. */
  apiV3Key: string;
  privateKeyFile: string;
  /** The serial number of the merchant's certificate. */
  certSerial: string;
  /** WeChat Pay's public key; null: its platform certificates are fetched. */
  publicKey: { id: string; file: string } | null;
  /** What transfers to balances are for; null: there are none. */
  transfer: WechatTransferScene | null;
  /** Another address than WeChat Pay's own, for tests. */
  baseUrl: string | null;
};

/** What WeChat Pay wants to know of every transfer: a scene that it approved, and what the scene has to report. */
export type WechatTransferScene = { sceneId: string; reports: readonly { type: string; content: string }[] };

export type AlipaySettings = {
  appId: string;
  privateKeyFile: string;
  /** Alipay's key, or the three certificates that payouts need. */
  verification:
    | { mode: 'key'; publicKeyFile: string }
    | { mode: 'certificates'; appCertFile: string; alipayCertFile: string; rootCertFile: string };
  /** The seller's number (PID), which notifications must name; null: any of this app. */
  sellerId: string | null;
  /** Another address than Alipay's own gateway, for its sandbox and for tests. */
  baseUrl: string | null;
};
