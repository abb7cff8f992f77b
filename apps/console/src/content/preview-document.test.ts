import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeHtml, previewDocument } from './preview-document.ts';

const page = (part: { title?: string; content?: string } = {}) =>
  previewDocument({ title: '用户指南', content: '<p>扫码</p>', language: 'zh-CN', origin: 'https://a.cn', ...part });

test('a title is shown as typed and never interpreted as markup', () => {
  expect(page({ title: '<img src=x onerror=alert(1)>' })).toContain('<h1>&lt;img src=x onerror=alert(1)&gt;</h1>');
  fc.assert(
    fc.property(fc.string(), (title) => {
      expect(escapeHtml(title)).not.toMatch(/[<>"]/);
    }),
  );
});

test('the preview page loads only pictures from the console itself, and its policy precedes the content', () => {
  const html = page();
  expect(html).toContain("default-src 'none'; style-src 'unsafe-inline'; img-src https://a.cn;");
  expect(html.indexOf('Content-Security-Policy')).toBeLessThan(html.indexOf('<p>扫码</p>'));
});
