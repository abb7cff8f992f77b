import { definitions } from './all.ts';
import type { Definition, Field } from './field.ts';

/**
 * The source of readers.generated.ts: one function per message, made from its table. A loop over the table would read
 * the same values, but take about five times as long as the CRC of the same bytes: engines are fast with object
 * literals of a fixed shape and constant offsets.
 */
export function formatReaders(): string {
  const readers = Object.values<Definition>(definitions).map(formatReader);
  const used = (name: string) => readers.some((reader) => reader.includes(`${name}(`));
  const hex = ['hexOf7', 'hexOf8', 'toHex'].filter(used);
  const values = [
    'readAscii',
    'readBytes',
    'readEntries',
    'readGun',
    'readTime',
    'readU8',
    'readU16',
    'readU32',
    'readUint',
    'reversed',
  ];
  return [
    '// Written from the field tables by the test of format-readers.ts: npm test -- ykc -u',
    `import { ${hex.join(', ')} } from '../hex.ts';`,
    `import { ${values.filter(used).join(', ')} } from '../values.ts';`,
    "import type { MessageKind, MessageOf } from './all.ts';",
    '',
    '/** `at` is where the body begins, `entries` how many its list has. The body is as long as its table says. */',
    'type Readers = { readonly [Kind in MessageKind]: (b: Uint8Array, at: number, entries: number) => MessageOf<Kind> };',
    '',
    'export const readers: Readers = {',
    ...readers,
    '};',
    '',
  ].join('\n');
}

function formatReader({ kind, fields, list, length }: Definition): string {
  const lines = [`    kind: '${kind}',`, ...formatFields(fields, 'at').map((line) => `    ${line}`)];
  if (list === null) return [`  '${kind}': (b, at) => ({`, ...lines, '  }),'].join('\n');
  return [
    `  '${kind}': (b, at, entries) => ({`,
    ...lines,
    `    ${list.name}: readEntries(b, at + ${length}, ${list.entryLength}, entries, (b, at) => ({`,
    ...formatFields(list.fields, 'at').map((line) => `      ${line}`),
    '    })),',
    '  }),',
  ].join('\n');
}

function formatFields(fields: readonly Field[], at: string): string[] {
  return fields.flatMap((field) => {
    const read = formatRead(field, field.offset === 0 ? at : `${at} + ${field.offset}`);
    return read === null ? [] : [`${field.name}: ${read},`];
  });
}

function formatRead({ encoding, length }: Field, at: string): string | null {
  switch (encoding) {
    case 'uint':
      return (
        { 1: `readU8(b, ${at})`, 2: `readU16(b, ${at})`, 4: `readU32(b, ${at})` }[length] ??
        `readUint(b, ${at}, ${length})`
      );
    case 'digits':
    case 'raw': {
      if (length === 7) return `hexOf7(b, ${at})`;
      if (length === 8) return `hexOf8(b, ${at})`;
      return `toHex(b, ${at}, ${at} + ${length})`;
    }
    case 'gun':
      return `readGun(b, ${at})`;
    case 'ascii':
      return `readAscii(b, ${at}, ${length})`;
    case 'reversed-ascii':
      return `reversed(readAscii(b, ${at}, ${length}))`;
    case 'time':
      return `readTime(b, ${at})`;
    case 'bytes':
      return `readBytes(b, ${at}, ${length})`;
    case 'count':
    case 'reserved':
      return null;
  }
}
