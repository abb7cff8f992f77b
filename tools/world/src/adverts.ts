import type { AdvertPage } from '@voltdeck/contract/adverts';
import type { AdvertPicture } from './pictures.ts';

/** The adverts of the apps, from invented advertisers. */
export const adverts: readonly {
  title: string;
  picture: AdvertPicture;
  fileName: string;
  page: AdvertPage;
  link: string;
  sort: number;
  enabled: boolean;
  ageDays: number;
}[] = [
  {
    title: '夜间谷价充电，23:00–07:00 更划算',
    picture: 'night',
    fileName: '夜间谷价.png',
    page: 'home',
    link: 'https://example.com/night',
    sort: 10,
    enabled: true,
    ageDays: 64,
  },
  {
    title: '充 200 送 20，限时三天',
    picture: 'recharge',
    fileName: '充值活动.png',
    page: 'home',
    link: 'https://example.com/recharge',
    sort: 20,
    enabled: true,
    ageDays: 9,
  },
  {
    title: '充满请及时驶离，给他人留个方便',
    picture: 'journey',
    fileName: '文明充电.png',
    page: 'charging',
    link: '',
    sort: 10,
    enabled: true,
    ageDays: 130,
  },
  {
    title: '邀请好友，各得 10 元',
    picture: 'friends',
    fileName: '邀请好友.png',
    page: 'account',
    link: 'https://example.com/invite',
    sort: 10,
    enabled: true,
    ageDays: 41,
  },
  {
    title: '国庆出行，高速站点全部开放',
    picture: 'holiday',
    fileName: '国庆启动页.png',
    page: 'splash',
    link: '',
    sort: 10,
    enabled: false,
    ageDays: 58,
  },
];
