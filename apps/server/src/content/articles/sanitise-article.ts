import { createRequire } from 'node:module';
import type sanitizeHtml from 'sanitize-html';

const require = createRequire(import.meta.url);
/** Loaded on demand: megabytes of parsers that a server without article editing does not need. */
const load = () => require('sanitize-html') as typeof sanitizeHtml;

/** Deeper than any editor nests; a thousand levels would stop a browser. */
const nestingMax = 50;

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;
const blocks = ['p', 'blockquote', 'pre', 'ul', 'ol', 'li', 'hr', 'br'] as const;
const marks = ['strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'mark', 'code', 'a'] as const;
const tables = ['table', 'thead', 'tbody', 'tr', 'th', 'td', 'colgroup', 'col'] as const;
const aligned = [...headings, 'p', 'li', 'th', 'td'] as const;
const textAlign = { 'text-align': [/^(left|right|center|justify)$/] };

/** A picture of ours or from an https address; never one with inline data. */
const pictureAddress = /^(https:\/\/[^\s"'<>\\]+|\/files\/[0-9a-f]{32}\/[^\s"'<>\\?#/]+)$/i;
/** Specification section 5: link-like values start with http, https, mailto or tel. */
const linkAddress = /^(https?:\/\/|mailto:|tel:)[^\s"'<>\\]+$/i;
const upToFourDigits = /^[1-9]\d{0,3}$/;
const anything = /^/;
const upToTwoDigits = /^[1-9]\d?$/;

type Attributes = Record<string, string>;

/** The attributes with a valid value. */
function fitting(given: Attributes, patterns: Readonly<Record<string, RegExp>>): Attributes {
  return Object.fromEntries(
    Object.entries(patterns).flatMap(([name, pattern]) => {
      const value = given[name]?.trim();
      return value !== undefined && pattern.test(value) ? [[name, value]] : [];
    }),
  );
}

const link: sanitizeHtml.Transformer = (tagName, given) => {
  const attribs = fitting(given, { href: linkAddress });
  // The linked page can neither reach back nor see the referrer.
  return { tagName, attribs: { ...attribs, target: '_blank', rel: 'noopener noreferrer nofollow' } };
};
const picture: sanitizeHtml.Transformer = (tagName, given) => ({
  tagName,
  attribs: fitting(given, {
    src: pictureAddress,
    alt: anything,
    title: anything,
    width: upToFourDigits,
    height: upToFourDigits,
  }),
});
const list: sanitizeHtml.Transformer = (tagName, given) => ({
  tagName,
  attribs: fitting(given, { start: upToFourDigits }),
});
const cell: sanitizeHtml.Transformer = (tagName, given) => ({
  tagName,
  attribs: fitting(given, { colspan: upToTwoDigits, rowspan: upToTwoDigits, style: anything }),
});

/**
 * Keeps only what the editor writes: nothing that runs, loads or imitates the page around it. Applied before storing,
 * so that the stored article is harmless wherever it is shown.
 * @returns an empty text when nothing is left.
 */
export function sanitiseArticle(html: string): string {
  return load()(html, {
    allowedTags: [...headings, ...blocks, ...marks, ...tables, 'img'],
    allowedAttributes: {
      ...Object.fromEntries(aligned.map((tag) => [tag, ['style']])),
      ol: ['start'],
      a: ['href', 'target', 'rel'],
      img: ['src', 'alt', 'title', 'width', 'height'],
      th: ['style', 'colspan', 'rowspan'],
      td: ['style', 'colspan', 'rowspan'],
    },
    allowedStyles: { '*': textAlign },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['https'] },
    allowProtocolRelative: false,
    nestingLimit: nestingMax,
    transformTags: { a: link, img: picture, ol: list, th: cell, td: cell },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && attribs.src === undefined,
  }).trim();
}

const tag = /<(\/?)([a-z][a-z0-9]*)/gi;
const voidTags: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'col']);

/** Whether more tags than that are open at once anywhere. Approximate, because closing tags may be misplaced. */
export function isNestedBeyond(openMax: number, html: string): boolean {
  let open = 0;
  for (const [, slash, name = ''] of html.matchAll(tag)) {
    if (voidTags.has(name.toLowerCase())) continue;
    open = slash === '' ? open + 1 : Math.max(0, open - 1);
    if (open > openMax) return true;
  }
  return false;
}
