import { lineOf } from './repository.ts';
import type { Rule } from './rule.ts';

/** Words that name a heap instead of a thing. */
const forbiddenInFiles = new Set([
  'util',
  'utils',
  'helper',
  'helpers',
  'common',
  'misc',
  'shared',
  'lib',
  'types',
  'constants',
  'manager',
  'service',
  'impl',
  'base',
  'abstract',
]);

/** In identifiers these words hide a thing's name at its end … */
const forbiddenAtEnd = new Set([
  'util',
  'utils',
  'helper',
  'helpers',
  'misc',
  'lib',
  'constants',
  'manager',
  'service',
  'impl',
]);
/** … and these at its beginning. "serviceFee" and "stationTypes" are words of the trade. */
const forbiddenAtStart = new Set(['abstract', 'base', 'common', 'shared', 'my']);

const inCode = /^(packages|apps|tools|tests)\//;

export const fileNames: Rule = {
  name: 'files are named for what they export, in kebab-case; PascalCase is one React component',
  check: ({ sources }) =>
    sources
      .filter(({ path }) => inCode.test(path))
      .flatMap(({ path, module }) => {
        const name = path.split('/').at(-1) ?? '';
        const stem = name.replace(/\.(generated|test|config|module|d)?\.?[cm]?[jt]sx?$/, '');
        const findings: string[] = [];
        if (/^index\.[cm]?[jt]sx?$/.test(name)) findings.push('an index file is a barrel; import the file that has it');
        const pascal = /^[A-Z][A-Za-z0-9]*$/.test(stem);
        if (pascal && !name.endsWith('.tsx')) findings.push('PascalCase is for a file with one React component (.tsx)');
        if (!pascal && !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(stem)) findings.push('is not kebab-case');
        if (pascal && !name.includes('.test.')) {
          const exported = module.staticExports.flatMap(({ entries }) =>
            // The default export of a screen that is loaded lazily.
            entries.map(({ exportName, localName }) =>
              exportName.kind === 'Default' ? localName.name : exportName.name,
            ),
          );
          if (!exported.includes(stem)) findings.push(`exports no ${stem}`);
        }
        const folders = path
          .split('/')
          .slice(1, -1)
          .flatMap((folder) => folder.split('-'));
        for (const word of [...stem.split(/-|(?<=[a-z])(?=[A-Z])/), ...folders]) {
          if (forbiddenInFiles.has(word.toLowerCase())) findings.push(`"${word}" names nothing; say what it is`);
        }
        return findings.map((text) => ({ path, line: 0, text }));
      }),
};

export const exportedNames: Rule = {
  name: 'exports are named for what they are',
  check: ({ sources }) =>
    sources
      .filter(({ path, isTest }) => inCode.test(path) && !isTest)
      .flatMap(({ path, text, module }) =>
        module.staticExports.flatMap(({ entries }) =>
          entries.flatMap(({ exportName, start }) => {
            const words = (exportName.name ?? '').split(/_|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase());
            const first = words.length > 1 ? words[0] : undefined;
            const last = words.at(-1);
            const wrong =
              first !== undefined && forbiddenAtStart.has(first)
                ? first
                : last !== undefined && forbiddenAtEnd.has(last)
                  ? last
                  : null;
            if (wrong === null) return [];
            return [
              { path, line: lineOf(text, start), text: `${exportName.name}: "${wrong}" names nothing; say what it is` },
            ];
          }),
        ),
      ),
};

export const noBarrels: Rule = {
  name: 'no file only re-exports what others export',
  check: ({ sources }) =>
    sources
      .filter(({ path }) => inCode.test(path))
      .flatMap(({ path, program, module }) => {
        const passesOn = module.staticExports.some(({ entries }) =>
          entries.some(({ moduleRequest }) => moduleRequest !== null),
        );
        const statements = program.body.filter(({ type }) => type !== 'ImportDeclaration');
        const onlyPasses = statements.every(
          (statement) =>
            statement.type === 'ExportAllDeclaration' ||
            (statement.type === 'ExportNamedDeclaration' && statement.source !== null),
        );
        return passesOn && onlyPasses ? [{ path, line: 0, text: 'is a barrel; import the file that has it' }] : [];
      }),
};
