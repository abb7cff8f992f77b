import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { filterKindOf, personalByName, personalOf } from './fields.ts';
import { allRoutes, lists } from './routes.ts';

/** Fields named like a phone or card that are not personal, by route or "*", with the reason. */
const openly: Readonly<Record<string, string>> = {
  '*.servicePhone': 'the public hotline of a site',
  '*.secondServicePhone': 'the other public hotline of a partner',
  '*.sitePhone': 'the public number of the people at a site',
  '*.titlePhone': "the company's number on the invoices of a group",
  'getInvoiceSeller.bankAccount': 'printed on every invoice of the seller',
  'setInvoiceSeller.bankAccount': 'printed on every invoice of the seller',
};

type Definition = {
  shape?: Readonly<Record<string, object>>;
  element?: object;
  innerType?: object;
  options?: readonly object[];
  valueType?: object;
  out?: object;
};

/** All named fields within a schema, except within parts that are masked as a whole. */
function* fieldsOf(schema: object, seen = new Set<object>()): Generator<{ name: string; field: object }> {
  if (seen.has(schema) || ['fields', 'exchange'].includes(String(personalOf(schema)?.kind))) return;
  seen.add(schema);
  const { def } = (schema as { _zod: { def: Definition } })._zod;
  for (const [name, field] of Object.entries(def.shape ?? {})) {
    yield { name, field };
    yield* fieldsOf(field, seen);
  }
  const inner = [def.element, def.innerType, def.valueType, def.out, ...(def.options ?? [])];
  for (const one of inner) if (one !== undefined) yield* fieldsOf(one, seen);
}

function kindOf(schema: object): unknown {
  const { def } = (schema as { _zod: { def: Definition } })._zod;
  return personalOf(schema)?.kind ?? (def.innerType === undefined ? undefined : kindOf(def.innerType));
}

test('every answer field named like a phone, card, mail address, plate or VIN is masked or listed with a reason', () => {
  const open: string[] = [];
  const masked: string[] = [];
  for (const [route, { answer }] of allRoutes) {
    for (const { name, field } of fieldsOf(answer)) {
      const kind = personalByName(name);
      if (kind === null) continue;
      if (kindOf(field) === kind) masked.push(`${route}.${name}`);
      else open.push(openly[`*.${name}`] ?? openly[`${route}.${name}`] ?? `${route}.${name} is not shown.${kind}()`);
    }
  }
  expect(new Set(open)).toEqual(new Set(Object.values(openly)));
  expect(masked).toEqual(
    expect.arrayContaining([
      'listOrders.phone',
      'listOrders.cardNumber',
      'getCard.physicalNumber',
      'createUser.phone',
      'listVehicles.plate',
      'getChargeLog.vin',
      'listInvoices.email',
      'getInvoice.bankAccount',
      'getInvoiceChoices.email',
    ]),
  );
});

test('every filter named like a phone, card, plate or VIN is declared as one', () => {
  const kinds = [...lists].flatMap(([list, { query }]) =>
    Object.entries((query as z.ZodMiniObject).def.shape).flatMap(([name, field]) => {
      const filter = filterKindOf(field as z.ZodMiniType);
      const named = personalByName(name);
      if (named === null || filter === undefined) return [];
      return [`${list}.${name} ${filter.kind === 'text' ? filter.personal === named : filter.kind === 'record'}`];
    }),
  );
  expect(kinds).toEqual(
    expect.arrayContaining(['listCustomers.phone true', 'listVehicles.plate true', 'listOrders.vin true']),
  );
  expect(kinds.filter((kind) => !kind.endsWith(' true'))).toEqual([]);
});
