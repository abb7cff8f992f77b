import { failReasonCodes, stopReasonCodes } from './code-tables.ts';
import { type InterfaceSchema, interfaces } from './messages/all.ts';
import {
  type AnyKind,
  type Codes,
  type DecimalKind,
  type Field,
  namesOf,
  type ObjectKind,
  objectsIn,
} from './messages/field.ts';

/** docs/protocols/tcec102.md: every interface with the fields of its request and its answer. */
export function formatPage(): string {
  const all = Object.entries<InterfaceSchema>(interfaces);
  const bodies = all.flatMap(([, { request, answer }]) => [request, answer]);
  const parts = [...new Set(bodies.flatMap(objectsIn))].filter(
    (part) => !bodies.includes(part) || isShared(part, bodies),
  );
  return [
    '# T/CEC 102, interface by interface',
    '',
    'Written from the field tables of `packages/tcec102` by `npm test -- tcec102/src/format-page -u`; the same test fails when this page is no longer true. Reader, writer and types come from the same tables.',
    '',
    'The standard itself could not be read in full. *Sure* says how sure a statement is: **H** two independent public sources agree, **M** one source, **L** inferred or recollected. Partners differ; `PartnerProfile` (`packages/tcec102/src/profile.ts`) holds everything in which they do.',
    '',
    '- Spellings: *Service…* is the corrected one; the text of 2016 writes *Sevice…*. One is written, both are read.',
    '- Decimals are written with exactly the digits of the column *on the wire*, and read exactly. An amount finer than a fen is refused; the noise of a binary fraction (30.199999999999996) is not.',
    '- A required field that is missing, a number as a text, or an unknown code of a closed list is answered Ret 4004 with the path of the field.',
    '- An optional field that is null or an empty text is absent. Unknown fields are ignored. Texts for people may be longer than the standard’s; identifiers may not.',
    '- Fields of a province are written to its profile alone, and ignored from others.',
    '',
    '## Envelope',
    '',
    '| field | request | answer | |',
    '| --- | --- | --- | --- |',
    '| OperatorID | 9 characters, the caller | some partners, not signed | H |',
    '| Ret | | integer: 0 success, -1 busy, 4001 signature, 4002 token, 4003 parameters, 4004 business, 500 system | H |',
    '| Msg | | text | H |',
    '| Data | Base64 of AES-128-CBC, PKCS#7, key and initial vector the texts’ own 16 bytes | the same; empty or absent in a refusal | H |',
    '| TimeStamp | yyyyMMddHHmmss, Asia/Shanghai | | H |',
    '| Seq | 0001 to 9999, from 0001 in every second | | H |',
    '| Sig | HMAC-MD5 of OperatorID, Data, TimeStamp, Seq in upper-case hexadecimal | of Ret, Msg, Data | H |',
    '',
    '## Interfaces',
    '',
    '| interface | served by | section | sure |',
    '| --- | --- | --- | --- |',
    ...all.map(
      ([name, { server, section, sure }]) =>
        `| [${name}](#${anchor(name)}) | ${serverNames[server]} | ${section} | ${sure} |`,
    ),
    '',
    ...all.flatMap(([name, { request, answer }]) => [
      `### ${name}`,
      '',
      ...bodySection('Request', request, parts),
      ...bodySection('Answer', answer, parts),
    ]),
    '## Objects',
    '',
    ...parts.flatMap((part) => [`### ${part.name}`, '', ...fieldTable(part, parts)]),
    '## Codes',
    '',
    ...codesIn([...bodies, ...parts]).flatMap(codesSection),
    '## Codes that we name ourselves',
    '',
    `StopReason (5 to 99): ${ownCodes(stopReasonCodes, 5)}.`,
    '',
    `FailReason of query_equip_auth (3 to 99): ${ownCodes(failReasonCodes.auth, 3)}.`,
    '',
    `FailReason of query_equip_business_policy (2 to 99): ${ownCodes(failReasonCodes.policy, 2)}.`,
    '',
    `FailReason of query_start_charge (3 to 99): ${ownCodes(failReasonCodes.start, 3)}.`,
    '',
    `FailReason of query_stop_charge (4 to 99): ${ownCodes(failReasonCodes.stop, 4)}.`,
    '',
    'DisputeReason 4: the same order is listed twice.',
    '',
  ].join('\n');
}

/** A body that two interfaces have, or that is both a body and a part, gets a section of its own. */
function isShared(part: ObjectKind, bodies: readonly ObjectKind[]): boolean {
  return bodies.filter((body) => body === part).length > 1;
}

const serverNames: Readonly<Record<InterfaceSchema['server'], string>> = {
  both: 'both',
  'station-operator': 'operator of the stations',
  'customer-operator': 'operator of the customer',
  supervision: 'supervising platform',
};

const anchor = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
const link = (name: string) => `[${name}](#${anchor(name)})`;

function bodySection(title: string, body: ObjectKind, parts: readonly ObjectKind[]): string[] {
  if (parts.includes(body)) return [`${title}: ${link(body.name)}`, ''];
  return [`${title}:`, '', ...fieldTable(body, parts)];
}

function fieldTable({ fields }: ObjectKind, parts: readonly ObjectKind[]): string[] {
  return [
    '| field | | on the wire | read as | notes | sure |',
    '| --- | --- | --- | --- | --- | --- |',
    ...Object.entries(fields).map(([name, field]) => fieldRow(name, field, parts)),
    '',
  ];
}

function fieldRow(name: string, field: Field, parts: readonly ObjectKind[]): string {
  const { kind, isRequired, extras, note, sure } = field;
  const notes = [
    ...(extras === undefined ? [] : [`only ${extras.join(', ')}`]),
    ...(kind.kind === 'code' ? [link(kind.codes.name)] : []),
    ...(note === undefined ? [] : [note]),
  ];
  const names = namesOf(name, field)
    .map((each) => `\`${each}\``)
    .join(' or ');
  return `| ${names} | ${isRequired ? 'R' : ''} | ${onTheWire(kind, parts)} | ${readAs(kind)} | ${notes.join('; ')} | ${sure ?? ''} |`;
}

function onTheWire(kind: AnyKind, parts: readonly ObjectKind[]): string {
  switch (kind.kind) {
    case 'object':
      return parts.includes(kind) ? link(kind.name) : kind.name;
    case 'list':
      return `${kind.itemsMin} to ${kind.itemsMax} of ${onTheWire(kind.of, parts)}`;
    case 'text':
      return [`text ≤ ${kind.charsMax}`, ...Object.entries(kind.charsMaxOf).map(([of, max]) => `${max} in ${of}`)].join(
        ', ',
      );
    case 'identifier':
      return `identifier ≤ ${kind.charsMax}`;
    case 'integer':
      return `integer, ${kind.min} to ${kind.max}`;
    case 'code':
      return 'integer';
    case 'decimal':
      return `${kind.unit}, ${decimalsOf(kind)}`;
    case 'date-time':
      return 'yyyy-MM-dd HH:mm:ss';
    case 'date':
      return 'yyyy-MM-dd';
    case 'time-of-day':
      return 'HHmmss';
  }
}

function decimalsOf({ decimals }: DecimalKind): string {
  if (decimals === 0) return 'whole';
  return typeof decimals === 'number' ? `${decimals} ${decimals === 1 ? 'digit' : 'digits'}` : `\`${decimals}\``;
}

function readAs(kind: AnyKind): string {
  if (kind.kind === 'decimal') return kind.scale === 0 ? '' : `10^-${kind.scale} ${kind.unit}`;
  if (kind.kind === 'date-time') return 'instant';
  return kind.kind === 'time-of-day' ? 'seconds since midnight' : '';
}

function codesIn(objects: readonly ObjectKind[]): Codes[] {
  const fields = objects.flatMap((each) => Object.values(each.fields));
  return [...new Set(fields.flatMap(({ kind }) => (kind.kind === 'code' ? [kind.codes] : [])))];
}

function codesSection({ name, meanings, custom, isOpen }: Codes): string[] {
  const all = Object.entries(meanings).map(([code, meaning]) => `${code} ${meaning}`.trim());
  const own = custom === undefined ? '' : `; ${custom.from} to ${custom.to} are each partner’s own`;
  const rest = isOpen ? '; others are read as well' : '';
  return [`### ${name}`, '', `${all.join(', ')}${own}${rest}.`, ''];
}

function ownCodes(table: Readonly<Record<string, number>>, from: number): string {
  const own = Object.entries(table).filter(([, code]) => code >= from);
  const codes = [...new Set(own.map(([, code]) => code))].sort((a, b) => a - b);
  const wordsOf = (code: number) => own.filter((each) => each[1] === code).map(([word]) => word.replaceAll('_', ' '));
  return codes.map((code) => `${code} ${code === 99 ? 'other' : wordsOf(code).join(', ')}`).join(', ');
}
