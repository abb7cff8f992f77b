declare const unit: unique symbol;

/** A number that carries its unit in the type. Arithmetic returns a plain number: brand it again to store it. */
export type Quantity<U extends string> = number & { readonly [unit]: U };

/** @throws RangeError when `value` is not a safe integer. */
export function exactInteger<U extends string>(value: number, name: U): Quantity<U> {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${name} must be a safe integer, got ${value}`);
  return value as Quantity<U>;
}
