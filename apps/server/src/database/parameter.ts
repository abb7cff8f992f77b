import type { Fen } from '@voltdeck/units/money';
import type { Kysely } from 'kysely';
import type { Tables } from './tables.generated.ts';

/** A parameter that the server reads (table `configs`). Its default holds where it is missing or invalid. */
export type Parameter<Value, Key extends string = string> = {
  key: Key;
  defaultValue: Value;
  /** Whether a text is a value. */
  isUsable(text: string): boolean;
  /** The value of a usable text. */
  read(text: string): Value;
};

type Bounds<Value, Key> = { key: Key; defaultValue: Value; min?: number; max: number };

/** Money keeps its unit. */
type Amount<Value extends number> = Value extends Fen ? Fen : number;

/** A whole number from `min`, by default 0, to `max`, written in digits. */
export function wholeNumber<Value extends number, const Key extends string>({
  key,
  defaultValue,
  min = 0,
  max,
}: Bounds<Value, Key>): Parameter<Amount<Value>, Key> {
  type Read = Amount<Value>;
  const digitsMax = String(max).length;
  return {
    key,
    defaultValue: defaultValue as number as Read,
    isUsable: (text) => /^\d+$/.test(text) && text.length <= digitsMax && Number(text) >= min && Number(text) <= max,
    read: (text) => Number(text) as Read,
  };
}

/** The value of a parameter's text. */
export function valueIn<Value>(parameter: Parameter<Value>, text: string | null | undefined): Value {
  return typeof text === 'string' && parameter.isUsable(text) ? parameter.read(text) : parameter.defaultValue;
}

/** The value in force. */
export async function readParameter<Value>(db: Kysely<Tables>, parameter: Parameter<Value>): Promise<Value> {
  const config = await db.selectFrom('configs').select('value').where('key', '=', parameter.key).executeTakeFirst();
  return valueIn(parameter, config?.value);
}
