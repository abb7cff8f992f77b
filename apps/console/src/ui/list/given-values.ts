import type { GivenTo, OpenedAct, ScreenCode } from '@voltdeck/contract/screens';
import * as z from 'zod/mini';

/** How the values that a link gives a form are read: a schema for each, which takes text. */
export type Taking<Code extends ScreenCode, Act extends OpenedAct<Code>> = {
  readonly [Name in keyof GivenTo<Code, Act>]-?: z.ZodMiniType<Exclude<GivenTo<Code, Act>[Name], undefined>>;
};

type ValuesOf<Schemas> = {
  -readonly [Name in keyof Schemas]?: Schemas[Name] extends z.ZodMiniType ? z.output<Schemas[Name]> : never;
};

/** The values that an address gives a form to start with. Anything else in a hand-written address is left out. */
export function givenValues<Schemas extends Readonly<Record<string, z.ZodMiniType>>>(
  schemas: Schemas,
  given: Readonly<Record<string, string>>,
): ValuesOf<Schemas> {
  const read = Object.entries(schemas).flatMap(([name, schema]) => {
    const text = given[name];
    const value = text === undefined ? undefined : z.safeParse(schema, text);
    return value?.success === true ? [[name, value.data] as const] : [];
  });
  return Object.fromEntries(read) as ValuesOf<Schemas>;
}
