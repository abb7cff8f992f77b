import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse, parseFragment, defaultTreeAdapter as tree } from 'parse5';
import { describe, expect, test } from 'vitest';
import { isNestedBeyond, sanitiseArticle } from './sanitise-article.ts';

const harmlessTags =
  'h1 h2 h3 h4 h5 h6 p blockquote pre ul ol li hr br strong b em i u s sub sup mark code a table thead tbody tr th td colgroup col img';
const allowed: ReadonlySet<string> = new Set(harmlessTags.split(' '));
const htmlNamespace = 'http://www.w3.org/1999/xhtml';
const key = '0123456789abcdef0123456789abcdef';

/** The allowed values of each attribute; no other attribute may appear. */
const attributes: Readonly<Record<string, RegExp>> = {
  'a href': /^(https?:\/\/|mailto:|tel:)[^\s"'<>\\]+$/i,
  'a target': /^_blank$/,
  'a rel': /^noopener noreferrer nofollow$/,
  'img src': /^(https:\/\/[^\s"'<>\\]+|\/files\/[0-9a-f]{32}\/[^\s"'<>\\/]+)$/i,
  'ol start': /^\d{1,4}$/,
  'img width': /^\d{1,4}$/,
  'img height': /^\d{1,4}$/,
  'td colspan': /^\d{1,2}$/,
  'td rowspan': /^\d{1,2}$/,
  'th colspan': /^\d{1,2}$/,
  'th rowspan': /^\d{1,2}$/,
};
const ofAny: Readonly<Record<string, RegExp>> = {
  style: /^text-align:(left|right|center|justify)$/,
  alt: /^/,
  title: /^/,
};

/** Everything forbidden in an article that a browser finds in a text. */
function harmIn(html: string): string[] {
  const harm: string[] = [];
  const walk = (node: DefaultTreeAdapterTypes.Node, ownTags: boolean): void => {
    if (tree.isCommentNode(node)) harm.push('a comment');
    if (tree.isElementNode(node)) {
      // The parser itself adds these to a whole page.
      const isFrame = !ownTags && ['html', 'head', 'body'].includes(node.tagName);
      if (!isFrame && (!allowed.has(node.tagName) || node.namespaceURI !== htmlNamespace))
        harm.push(`<${node.tagName}>`);
      for (const { name, value } of node.attrs) {
        const pattern = attributes[`${node.tagName} ${name}`] ?? ofAny[name];
        if (pattern === undefined || !pattern.test(value)) harm.push(`${node.tagName} ${name}="${value}"`);
      }
    }
    if ('childNodes' in node) for (const child of node.childNodes) walk(child, ownTags);
  };
  // As part of a page and as a page of its own, without and with scripts.
  for (const scriptingEnabled of [true, false]) {
    walk(parseFragment(html, { scriptingEnabled }), true);
    walk(parse(html, { scriptingEnabled }), false);
  }
  return harm;
}

const nasty = [
  '<script>alert(1)</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
  '<img src="//evil.example/x.png">',
  '<img src="http://evil.example/x.png">',
  `<img src="/files/${key}/../../api/logout">`,
  '<img src="/api/files/1/content">',
  '<img src="/files/x/y.png" srcset="https://evil.example 1x">',
  '<svg onload=alert(1)>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<template><img src=x onerror=alert(1)></template>',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  '<title><a title="</title><img src=x onerror=alert(1)>"></title>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<object data="javascript:alert(1)"></object><embed src="javascript:alert(1)">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href=" &#x6a;avascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="vbscript:x">x</a>',
  '<a href="/logout">x</a>',
  '<a href="https://x.example" onclick="alert(1)" style="position:fixed;inset:0">x</a>',
  '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<style>*{background:url(javascript:alert(1))}</style><link rel=stylesheet href=//evil.example>',
  '<p style="text-align:center;background:url(https://evil.example)">x</p>',
  '<p style="text-align:expression(alert(1))">x</p>',
  '<p id="root" class="ant-modal" name="cookie">x</p>',
  '<form action="https://evil.example"><input name=password><button>Sign in</button></form>',
  '<!--[if IE]><script>alert(1)</script><![endif]--><!-- > -->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<p/onmouseover=alert(1)>x',
  '<table><tr><td colspan="9999" rowspan="x" background="javascript:alert(1)">',
  '<div><video><source onerror=alert(1)></video><audio src=x onerror=alert(1)></div>',
  '<x-widget is="a" onfocus=alert(1) tabindex=1 autofocus>',
  '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
];

describe('an article', () => {
  test('an article keeps what the editor writes', () => {
    const written = [
      '<h2 style="text-align:center">充电指南</h2>',
      '<p>Plug in, <strong>scan</strong>, <em>wait</em>, <u>unplug</u> and <s>pay</s>.</p>',
      '<ul><li><p>One</p></li></ul><ol start="3"><li><p>Three</p></li></ol>',
      '<blockquote><p>Ring <a href="tel:4008001234" target="_blank" rel="noopener noreferrer nofollow">us</a></p></blockquote>',
      `<p><img src="/files/${key}/%E6%A1%A9.png" alt="桩" width="640" height="480" /></p>`,
      '<table><tbody><tr><th colspan="2">Hours</th></tr><tr><td style="text-align:right">24</td><td>h</td></tr></tbody></table>',
      '<pre><code>a &lt; b &amp;&amp; c</code></pre><hr />',
    ].join('');
    expect(sanitiseArticle(written)).toBe(written);
  });

  test('a link in an article sends no referrer', () => {
    expect(sanitiseArticle('<a href="https://x.example" target="_top" rel="opener">x</a>')).toBe(
      '<a href="https://x.example" target="_blank" rel="noopener noreferrer nofollow">x</a>',
    );
  });

  test('an article keeps the words around what is removed', () => {
    expect(sanitiseArticle('<div class="x"><font color=red>Price</font> <script>no()</script>list</div>')).toBe(
      'Price list',
    );
    expect(sanitiseArticle('<script>only()</script><!-- -->')).toBe('');
  });

  test.each(nasty)('an article is harmless after %s', (html) => {
    expect(harmIn(sanitiseArticle(html))).toEqual([]);
  });

  test('the check itself detects harm', () => {
    const harmful = nasty.filter((html) => harmIn(html).length > 0);
    // The last one is already text.
    expect(nasty.length - harmful.length).toBe(1);
  });

  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...nasty) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(...nasty).chain((html) => fc.nat(html.length).map((end) => html.slice(0, end))),
    },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        ...[
          '<',
          '>',
          '"',
          "'",
          '`',
          '=',
          '/',
          '</',
          '<!--',
          '-->',
          '<![CDATA[',
          ']]>',
          '&lt;',
          '&#60;',
          '&#x3c',
          '\0',
          '\f',
          '\t',
        ],
        ...[
          '<p>',
          '<table>',
          '<tr>',
          '<td ',
          '<svg>',
          '<math>',
          '<style>',
          '</style>',
          '<a href=',
          '<img src=',
          ' onerror=alert(1) ',
        ],
        ...['<select>', '<option>', '<plaintext>', '<noscript>', '<template>', '<annotation-xml encoding="text/html">'],
      ),
    },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  );
  test('an article is harmless whatever it was made of', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const once = sanitiseArticle(pieces.join(''));
        expect(harmIn(once)).toEqual([]);
        expect(harmIn(sanitiseArticle(once))).toEqual([]);
      }),
      { numRuns: 1_500 },
    );
  });

  test('an article nests no deeper than a browser can take, in a moment', () => {
    // Processor time of this thread alone, independent of the machine's load.
    const begunAt = process.threadCpuUsage();
    const deep = sanitiseArticle(`${'<blockquote>'.repeat(16_000)}x`);
    expect(deep.match(/<blockquote>/g)?.length ?? 0).toBeLessThanOrEqual(50);
    const { user, system } = process.threadCpuUsage(begunAt);
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });
});

describe('a text of nothing but tags', () => {
  test('a text of nothing but tags is detected by the tags open at once', () => {
    expect(isNestedBeyond(3, '<b><i><u><br><img>x</u></i></b>'.repeat(10))).toBe(false);
    expect(isNestedBeyond(3, '<b><i></u><u><s><a>')).toBe(true);
    expect(isNestedBeyond(3, '1 < 2 <3 </ <!-- --> </b></b><b>')).toBe(false);
  });
});
