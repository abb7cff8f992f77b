import { phrase } from '../phrases.ts';
import { isLink } from '../ui/link-address.ts';

/** The largest sort number that the contract takes. */
export const sortMax = 1_000_000;

/** The rule of a form's link field, which may be left empty. */
export function linkRule() {
  return {
    validator: (_: unknown, text: string | undefined) =>
      !text?.trim() || isLink(text) ? Promise.resolve() : Promise.reject(new Error(phrase('content.linkFormat'))),
  };
}
