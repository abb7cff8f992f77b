/** An expected outcome: either a value or an error that the caller must handle. `throw` is for bugs and lost infrastructure. */
export type Result<Value, Failure> = { ok: true; value: Value } | { ok: false; error: Failure };

export function ok<Value>(value: Value): { ok: true; value: Value } {
  return { ok: true, value };
}

export function failed<Failure>(error: Failure): { ok: false; error: Failure } {
  return { ok: false, error };
}

/** Makes a switch total: the compiler refuses it when a case is missing. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
