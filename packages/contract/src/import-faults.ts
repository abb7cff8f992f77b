import * as z from 'zod/mini';
import { fieldFaultCodes } from './errors.ts';

/** The columns of a file to import, by the field that they fill, with their titles and the words of their choices. */
export type ImportColumns = Readonly<Record<string, { title: string; isRequired?: true; words?: string }>>;

/** What is wrong with one cell of a row. */
export function importFaultOf<Columns extends ImportColumns>(columns: Columns) {
  type Column = keyof Columns & string;
  return z.object({
    column: z.enum(Object.keys(columns) as [Column, ...Column[]]),
    code: z.enum(fieldFaultCodes),
    params: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
  });
}

type Params = Record<string, string | number> | undefined;

/** The parameters of a fault with its choices by their words, which `wordOf` knows. */
export function paramsInWords(
  columns: ImportColumns,
  { column, params }: { column: string; params?: Params },
  wordOf: (key: string) => string | undefined,
  comma: string,
): Params {
  const words = columns[column]?.words;
  if (words === undefined || typeof params?.choices !== 'string') return params;
  const choices = params.choices.split(', ').map((choice) => wordOf(`${words}.${choice}`) ?? choice);
  return { ...params, choices: choices.join(comma) };
}
