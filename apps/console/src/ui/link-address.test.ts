import { expect, test } from 'vitest';
import { isLink } from './link-address.ts';

test.each(['http://a.cn', 'https://a.cn/b?c=d', 'mailto:a@b.cn', 'tel:4008001234', ' HTTPS://A.CN '])(
  '%s is a link (specification section 5)',
  (text) => expect(isLink(text)).toBe(true),
);

test.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://a.cn', 'a.cn', '/path', 'https://', 'http://a b', ' '])(
  '%s is not a link',
  (text) => expect(isLink(text)).toBe(false),
);
