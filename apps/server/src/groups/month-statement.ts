import type { MovementType } from '@voltdeck/charging/states';
import type { WattHours } from '@voltdeck/units/energy';
import type { GroupId, GroupMemberId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import { addFen, type Fen, subtractFen, zeroFen } from '@voltdeck/units/money';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import { scoped } from '../caller/scope.ts';
import { readPlatformName } from '../database/platform-name.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { Month } from '../orders/month-use.ts';
import { maskCard, maskPhone } from '../personal/mask-text.ts';
import { seesPersonal } from '../personal/sees-personal.ts';

export type MemberLine = {
  id: GroupMemberId;
  name: string;
  phone: string;
  charges: number;
  energyWh: WattHours;
  chargedFen: Fen;
  refundedFen: Fen;
};

/** The month of a group. The group's balance and the pots of its members are added up as one, free and held money alike. */
export type MonthStatement = {
  groupName: string;
  cardNumber: string;
  issuer: string;
  openingFen: Fen;
  rechargedFen: Fen;
  giftFen: Fen;
  /** Recharges refunded or reversed: zero or less. */
  returnedFen: Fen;
  /** Zero or less. */
  chargedFen: Fen;
  refundedFen: Fen;
  closingFen: Fen;
  /** Of the closing balance, what members have in their pots. */
  closingPotsFen: Fen;
  /** What went to pots less what came back; moves nothing out of the whole. */
  allocatedFen: Fen;
  members: MemberLine[];
};

/** Where each type of movement stands in a statement. */
const lineOf = {
  recharge: 'rechargedFen',
  system_recharge: 'rechargedFen',
  gift: 'giftFen',
  gift_deducted: 'giftFen',
  withdrawal: 'returnedFen',
  consume: 'chargedFen',
  order_refund: 'refundedFen',
  refund_failed: 'refundedFen',
  // Never of a group.
  transfer: 'refundedFen',
  allocated: null,
  taken_back: null,
} as const satisfies Readonly<Record<MovementType, keyof MonthStatement | null>>;

/** The movements `m` of a group’s balance and of its pots. */
export function movementsOf(id: GroupId): RawBuilder<boolean> {
  return sql<boolean>`(m.group_id = ${id} or m.member_id in (select g.id from group_members g where g.group_id = ${id}))`;
}

const momentOf = (at: Instant) => sql<Instant>`to_timestamp(${at} / 1000.0)`;

/** The statement of a month; null where the caller does not see the group. */
export async function readMonthStatement(
  db: Kysely<Tables>,
  caller: Caller,
  id: GroupId,
  month: Month,
): Promise<MonthStatement | null> {
  const group = await scoped(db.selectFrom('groups'), caller, 'groups.agent_id')
    .select(['groups.name', 'groups.card_number'])
    .where('groups.id', '=', id)
    .executeTakeFirst();
  if (group === undefined) return null;
  // One snapshot, so that the parts add up while members charge.
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const sums = await readSums(trx, id, month);
      const lines = {
        rechargedFen: zeroFen,
        giftFen: zeroFen,
        returnedFen: zeroFen,
        chargedFen: zeroFen,
        refundedFen: zeroFen,
      };
      let allocatedFen: Fen = zeroFen;
      for (const { type, paidFen, giftFen, potFen } of sums.moved) {
        const line = lineOf[type];
        if (line === null) allocatedFen = addFen(allocatedFen, potFen);
        else if (line === 'rechargedFen') {
          lines.rechargedFen = addFen(lines.rechargedFen, paidFen);
          lines.giftFen = addFen(lines.giftFen, giftFen);
        } else lines[line] = addFen(lines[line], paidFen, giftFen);
      }
      return {
        groupName: group.name,
        cardNumber: seesPersonal(caller) ? group.card_number : maskCard(group.card_number),
        issuer: await readPlatformName(trx),
        openingFen: sums.openingFen,
        ...lines,
        closingFen: addFen(sums.openingFen, ...Object.values(lines)),
        closingPotsFen: sums.closingPotsFen,
        allocatedFen,
        members: await readMembers(trx, caller, id, month),
      };
    });
}

type Moved = { type: MovementType; paidFen: Fen; giftFen: Fen; potFen: Fen };

async function readSums(db: Kysely<Tables>, id: GroupId, { from, to }: Month) {
  const { rows: before } = await sql<{ openingFen: Fen; potsBeforeFen: Fen }>`
    select coalesce(sum(m.paid_fen + m.gift_fen), 0)::bigint as "openingFen",
           coalesce(sum(m.paid_fen + m.gift_fen) filter (where m.member_id is not null), 0)::bigint as "potsBeforeFen"
      from movements m where ${movementsOf(id)} and m.created_at < ${momentOf(from)}`.execute(db);
  const { rows: moved } = await sql<Moved>`
    select m.type, sum(m.paid_fen)::bigint as "paidFen", sum(m.gift_fen)::bigint as "giftFen",
           coalesce(sum(m.paid_fen + m.gift_fen) filter (where m.member_id is not null), 0)::bigint as "potFen"
      from movements m
     where ${movementsOf(id)} and m.created_at >= ${momentOf(from)} and m.created_at < ${momentOf(to)}
     group by m.type`.execute(db);
  const [sums] = before;
  if (sums === undefined) throw new Error('an aggregate gave no row');
  return {
    openingFen: sums.openingFen,
    moved,
    closingPotsFen: addFen(sums.potsBeforeFen, ...moved.map(({ potFen }) => potFen)),
  };
}

/** What each member charged and got back in the month, the one with most first. */
async function readMembers(
  db: Kysely<Tables>,
  caller: Caller,
  id: GroupId,
  { from, to }: Month,
): Promise<MemberLine[]> {
  const { rows } = await sql<MemberLine>`
    with moved as (
      select m.order_id, -coalesce(sum(m.paid_fen + m.gift_fen) filter (where m.type = 'consume'), 0) as charged,
             coalesce(sum(m.paid_fen + m.gift_fen) filter (where m.type <> 'consume'), 0) as refunded,
             count(*) filter (where m.type = 'consume') > 0 as is_charge
        from movements m
       where ${movementsOf(id)} and m.order_id is not null
         and m.created_at >= ${momentOf(from)} and m.created_at < ${momentOf(to)}
       group by m.order_id)
    select g.id, g.name, g.phone, count(*) filter (where moved.is_charge)::integer as charges,
           coalesce(sum(o.energy_wh) filter (where moved.is_charge), 0)::bigint as "energyWh",
           sum(moved.charged)::bigint as "chargedFen", sum(moved.refunded)::bigint as "refundedFen"
      from moved join orders o on o.id = moved.order_id join group_members g on g.id = o.group_member_id
     group by g.id order by sum(moved.charged) desc, g.id`.execute(db);
  const isWhole = seesPersonal(caller);
  return rows.map((row) => (isWhole ? row : { ...row, phone: maskPhone(row.phone) }));
}

/** What of the closing balance is the group's own. */
export function closingOwnFen({ closingFen, closingPotsFen }: MonthStatement): Fen {
  return subtractFen(closingFen, closingPotsFen);
}
