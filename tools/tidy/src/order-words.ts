import { type Expression, type ObjectExpression, Visitor } from 'oxc-parser';
import { phrasesOf } from './phrases.ts';
import { lineOf, type SourceFile } from './repository.ts';
import type { Finding, Rule } from './rule.ts';

/** Where flags of orders and entries of their timelines are created. */
const places = /^(packages\/charging\/src\/|apps\/server\/src\/(charging|orders)\/)/;

/** The fields of objects that are created elsewhere, by the name under which they are spread. */
const namesOfSpread: Readonly<Record<string, readonly string[]>> = {
  // AmountDifference of packages/tariffs.
  difference: ['stationFen', 'oursFen', 'periods'],
  // A person's settlement.
  byHand: ['userName', 'reason'],
  // Whose repayment was undone.
  told: ['rechargeNumber', 'reason'],
};

/** Prefixes of the phrases for `because`. */
const becausePrefixes = ['orders.because', 'stop-reason', 'rejection-reason'];

/**
 * A flag's evidence and an event's parameters are stored as they are, and an order's page names each fact by a phrase.
 * This rule reads from the sources what the server writes.
 */
export const orderWordsComplete: Rule = {
  name: 'every event, fact and reason of an order has a phrase',
  check(repository) {
    const phrases = new Set(phrasesOf(repository, 'zh-CN').map(({ key }) => key));
    return repository.sources
      .filter(({ path, isTest }) => places.test(path) && !isTest && !/\/test-[^/]*$/.test(path))
      .flatMap((file) => wordsMissing(file, phrases));
  },
};

function wordsMissing(file: SourceFile, phrases: ReadonlySet<string>): Finding[] {
  const findings: Finding[] = [];
  const say = (start: number, text: string) => {
    findings.push({ path: file.path, line: lineOf(file.text, start), text });
  };
  const need = (start: number, prefixes: readonly string[], name: string) => {
    if (!prefixes.some((prefix) => phrases.has(`${prefix}.${name}`)))
      say(start, `${prefixes[0]}.${name} has no phrase`);
  };
  const declared = declarationsOf(file);

  const readFacts = (expression: Expression, seen: readonly string[] = []): void => {
    switch (expression.type) {
      case 'ObjectExpression':
        readObject(expression, seen);
        return;
      case 'ConditionalExpression':
        readFacts(expression.consequent, seen);
        readFacts(expression.alternate, seen);
        return;
      case 'LogicalExpression':
        if (expression.operator !== '&&') readFacts(expression.left, seen);
        readFacts(expression.right, seen);
        return;
      case 'ParenthesizedExpression':
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        readFacts(expression.expression, seen);
        return;
      case 'MemberExpression':
        // Created, and checked, where it got that name.
        if (/\.(evidence|params)$/.test(file.text.slice(expression.start, expression.end))) return;
        break;
      case 'Identifier': {
        if (seen.includes(expression.name)) return;
        const known = namesOfSpread[expression.name];
        const values = declared.get(expression.name)?.filter(({ type }) => type !== 'CallExpression') ?? [];
        for (const name of known ?? []) need(expression.start, ['orders.fact'], name);
        for (const value of values) readFacts(value, [...seen, expression.name]);
        if (known !== undefined || values.length > 0) return;
        break;
      }
    }
    const text = file.text.slice(expression.start, expression.end);
    say(expression.start, `the facts of "${text}" cannot be read: spread an object that is made here`);
  };

  const readObject = (object: ObjectExpression, seen: readonly string[]): void => {
    for (const property of object.properties) {
      if (property.type === 'SpreadElement') {
        readFacts(property.argument, seen);
        continue;
      }
      const name = file.text.slice(property.key.start, property.key.end);
      need(property.start, ['orders.fact'], name);
      const { value } = property;
      if (name === 'because' && value.type === 'Literal' && typeof value.value === 'string') {
        need(property.start, becausePrefixes, value.value);
      }
    }
  };

  new Visitor({
    ObjectExpression(node) {
      const names = new Map(
        node.properties.flatMap((property) =>
          property.type === 'Property'
            ? [[file.text.slice(property.key.start, property.key.end), property.value] as const]
            : [],
        ),
      );
      // A flag or an event that is only passed on (`flag.rule`, `event`) is checked where it was created.
      const evidence = names.get('evidence');
      const rule = names.get('rule')?.type;
      if (evidence !== undefined && (rule === 'Literal' || rule === 'Identifier')) readFacts(evidence);
      const params = names.get('params');
      if (params !== undefined && names.get('event')?.type === 'Literal') readFacts(params);
    },
    CallExpression(node) {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'timelineEntry') return;
      const params = node.arguments[2];
      if (params !== undefined && params.type !== 'SpreadElement') readFacts(params);
    },
    TSTypeAliasDeclaration(node) {
      if (node.id.name !== 'TimelineEvent' || node.typeAnnotation.type !== 'TSUnionType') return;
      for (const event of node.typeAnnotation.types) {
        if (event.type !== 'TSLiteralType' || event.literal.type !== 'Literal') continue;
        need(event.start, ['orders.event'], String(event.literal.value));
      }
    },
  }).visit(file.program);
  return findings;
}

function declarationsOf(file: SourceFile): ReadonlyMap<string, readonly Expression[]> {
  const found = new Map<string, Expression[]>();
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type !== 'Identifier' || init === null) return;
      found.set(id.name, [...(found.get(id.name) ?? []), init]);
    },
  }).visit(file.program);
  return found;
}
