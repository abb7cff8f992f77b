import { type JSXChild, Visitor } from 'oxc-parser';
import { lineOf, type Repository, type SourceFile } from './repository.ts';
import type { Finding, Rule } from './rule.ts';

export interface Phrase {
  key: string;
  text: string;
  path: string;
  line: number;
}

const languages = ['zh-CN', 'en'] as const;

/** The keys of every phrase file of one language; `all.ts` only collects them. */
export function phrasesOf(repository: Repository, language: (typeof languages)[number]): Phrase[] {
  const folder = `packages/phrases/src/${language}/`;
  return repository.sources
    .filter(({ path }) => path.startsWith(folder) && path !== `${folder}all.ts`)
    .flatMap((file) => {
      const phrases: Phrase[] = [];
      new Visitor({
        Property(node) {
          if (node.key.type !== 'Literal' || typeof node.key.value !== 'string') return;
          const text = literalText(node.value);
          if (text === null) return;
          phrases.push({ key: node.key.value, text, path: file.path, line: lineOf(file.text, node.start) });
        },
      }).visit(file.program);
      return phrases;
    });
}

function literalText(node: { type: string; value?: unknown; quasis?: unknown }): string | null {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node.type === 'TemplateLiteral' ? JSON.stringify(node.quasis) : null;
}

export const phrasesComplete: Rule = {
  name: 'every phrase exists in both languages, once, in the same file, and is not empty',
  check(repository) {
    const found = languages.map((language) => phrasesOf(repository, language));
    const findings: Finding[] = [];
    for (const [index, phrases] of found.entries()) {
      const language = languages[index] ?? '';
      const others = new Set(found[1 - index]?.map((phrase) => `${fileName(phrase.path)} ${phrase.key}`));
      const seen = new Set<string>();
      for (const { key, text, path, line } of phrases) {
        const say = (what: string) => findings.push({ path, line, text: `${key} ${what}` });
        if (!others.has(`${fileName(path)} ${key}`)) say(`is missing in ${languages[1 - index]}/${fileName(path)}`);
        if (seen.has(key)) say('is given twice; the later one would win in silence');
        seen.add(key);
        if (text.trim() === '') say('is empty');
        if (language === 'en' && cjk.test(text)) say('has Chinese in its English text');
      }
    }
    return findings;
  },
};

export const phrasesUsed: Rule = {
  name: 'every phrase is used',
  check(repository) {
    const literals = new Set<string>();
    const patterns: { head: string; tail: string }[] = [];
    const families = new Set<string>();
    const prefixes = new Set<string>();
    const speaking = repository.sources.filter(
      ({ path, isTest }) =>
        /^(apps|packages|tools\/simulator)\//.test(path) &&
        !/^packages\/phrases\/src\/(zh-CN|en)\//.test(path) &&
        !isTest,
    );
    for (const file of speaking) collectTexts(file, { literals, patterns, families, prefixes });
    const said = (key: string) =>
      literals.has(key) ||
      (families.has('') && beginnings(key).some((beginning) => prefixes.has(beginning))) ||
      patterns.some(
        ({ head, tail }) => key.startsWith(head) && key.endsWith(tail) && key.length > head.length + tail.length,
      );
    return phrasesOf(repository, 'zh-CN')
      .filter(({ key }) => !said(key))
      .map(({ key, path, line }) => ({ path, line, text: `${key} is used nowhere` }));
  },
};

/** The prefixes of a key: "orders.account.card" has "orders" and "orders.account". */
function beginnings(key: string): string[] {
  return [...key.matchAll(/\./g)].map(({ index }) => key.slice(0, index));
}

interface Texts {
  literals: Set<string>;
  patterns: { head: string; tail: string }[];
  families: Set<string>;
  prefixes: Set<string>;
}

/** No argument of these kinds is the name that completes a key. */
const neverNames = new Set(['ArrowFunctionExpression', 'ObjectExpression']);

/** Collects strings, and templates that start like a key (`order-state.${state}`). */
function collectTexts(file: SourceFile, { literals, patterns, families, prefixes }: Texts): void {
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') literals.add(node.value);
    },
    TemplateLiteral(node) {
      const head = node.quasis[0]?.value.cooked ?? '';
      const tail = node.quasis.at(-1)?.value.cooked ?? '';
      if (node.quasis.length > 1 && /^[a-zA-Z-]+\.[\w.-]*$/.test(head)) patterns.push({ head, tail });
      // `${kind}.${state}`: the kind comes from elsewhere.
      if (node.quasis.length === 3 && head === '' && node.quasis[1]?.value.cooked === '.') families.add(tail);
      if (node.quasis.length === 1) literals.add(head);
    },
    // The kind itself: the words of a column, or what a function gets beside the name, as in word('orders.fact', name).
    Property(node) {
      const prefix = node.key.type === 'Identifier' && node.key.name === 'words' ? stringOf(node.value) : null;
      if (prefix !== null) prefixes.add(prefix);
    },
    CallExpression({ callee, arguments: [first, second] }) {
      if (callee.type !== 'Identifier' || second === undefined || neverNames.has(second.type)) return;
      for (const said of first?.type === 'ArrayExpression' ? first.elements : [first]) {
        const prefix = stringOf(said);
        if (prefix !== null) prefixes.add(prefix);
      }
    },
    TSTemplateLiteralType(node) {
      const head = node.quasis[0]?.value.cooked ?? '';
      if (node.quasis.length === 1) literals.add(head);
    },
  }).visit(file.program);
}

function fileName(path: string): string {
  return path.split('/').at(-1) ?? '';
}

const cjk = /[\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/;

/** Files of the apps that may contain Chinese, each with a reason. */
export const chineseExceptions: readonly { path: string; because: string }[] = [
  { path: 'apps/console/src/language.ts', because: 'a language is named in itself, whatever the language of the page' },
  {
    path: 'apps/server/src/channels/wechat/wechat-bill.ts',
    because: 'WeChat Pay names the columns of its bills in Chinese',
  },
  {
    path: 'apps/server/src/channels/alipay/alipay-bill.ts',
    because: 'Alipay names files, columns and kinds of its bills in Chinese',
  },
];

const spokenAttributes = new Set([
  'title',
  'placeholder',
  'alt',
  'label',
  'aria-label',
  'aria-description',
  'okText',
  'cancelText',
]);

export const noTextOutsidePhrases: Rule = {
  name: 'text that people read is in the phrases',
  check(repository) {
    const keys = new Set(phrasesOf(repository, 'en').map(({ key }) => key));
    return repository.sources
      .filter(({ path, isTest }) => /^apps\/[^/]+\/src\//.test(path) && !isTest)
      .flatMap((file) => [...chineseIn(file), ...(file.path.startsWith('apps/console/') ? spokenIn(file, keys) : [])]);
  },
};

/** Comments may quote a label; what the program can output may not be Chinese. */
function chineseIn(file: SourceFile): Finding[] {
  if (chineseExceptions.some((exception) => exception.path === file.path)) return [];
  const findings: Finding[] = [];
  const look = (start: number, said: unknown) => {
    if (typeof said !== 'string' || !cjk.test(said)) return;
    findings.push({
      path: file.path,
      line: lineOf(file.text, start),
      text: `"${said.trim().slice(0, 20)}" outside the phrases`,
    });
  };
  new Visitor({
    Literal: (node) => look(node.start, node.value),
    TemplateElement: (node) => look(node.start, node.value.cooked),
    JSXText: (node) => look(node.start, node.value),
  }).visit(file.program);
  return findings;
}

/** A component that takes a phrase key renders that phrase. */
function spokenIn(file: SourceFile, keys: ReadonlySet<string>): Finding[] {
  const findings: Finding[] = [];
  const add = (start: number, said: string) =>
    findings.push({
      path: file.path,
      line: lineOf(file.text, start),
      text: `"${said.trim().slice(0, 40)}" outside the phrases`,
    });
  const look = (children: readonly JSXChild[]) => {
    for (const child of children) {
      const said =
        child.type === 'JSXText'
          ? child.value
          : child.type === 'JSXExpressionContainer'
            ? stringOf(child.expression)
            : null;
      if (said !== null && hasWords(said)) add(child.start, said);
    }
  };
  new Visitor({
    JSXElement: (node) => look(node.children),
    JSXFragment: (node) => look(node.children),
    JSXAttribute(node) {
      if (node.name.type !== 'JSXIdentifier' || !spokenAttributes.has(node.name.name)) return;
      const said = stringOf(node.value?.type === 'JSXExpressionContainer' ? node.value.expression : node.value);
      if (said !== null && hasWords(said) && !keys.has(said)) add(node.start, said);
    },
  }).visit(file.program);
  return findings;
}

/** Symbols of units are the same in every language (SI; IEC 80000). */
const unitSymbols = new Set(['kWh', 'Wh', 'kW', 'W', 'A', 'V', 'mA', 'mV', 'min', 'h', 's', 'ms', 'km', 'm', '°C']);

const productName = 'Voltdeck';

function hasWords(text: string): boolean {
  return text
    .split(/[^\p{L}°]+/u)
    .some((word) => word !== '' && word !== '°' && word !== productName && !unitSymbols.has(word));
}

function stringOf(node: { type: string; value?: unknown } | null | undefined): string | null {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null;
}
