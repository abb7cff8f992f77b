import type { Readable } from 'node:stream';
import type { MovementType } from '@voltdeck/charging/states';
import type { Language } from '@voltdeck/contract/languages';
import type { GroupId, MovementId } from '@voltdeck/units/id';
import type { Instant } from '@voltdeck/units/instant';
import type { Fen } from '@voltdeck/units/money';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../caller/caller.ts';
import type { Tables } from '../database/tables.generated.ts';
import type { FileColumn } from '../http/file-cells.ts';
import { say } from '../http/say.ts';
import { xlsxStream } from '../http/xlsx.ts';
import type { Month } from '../orders/month-use.ts';
import { maskPhone } from '../personal/mask-text.ts';
import { seesPersonal } from '../personal/sees-personal.ts';
import { type MonthStatement, movementsOf } from './month-statement.ts';
import { statementAmounts } from './statement-pdf.ts';

const rowsAtOnce = 500;

type Row = {
  at: Instant | null;
  title: string;
  number: string | null;
  name: string | null;
  phone: string | null;
  wallet: string | null;
  amountFen: Fen | null;
  remark: string | null;
};

const blank: Row = {
  at: null,
  title: '',
  number: null,
  name: null,
  phone: null,
  wallet: null,
  amountFen: null,
  remark: null,
};

/** The month of a group as a workbook: the lines of its statement, what each member charged, then every movement. */
export function statementXlsx(
  db: Kysely<Tables>,
  caller: Caller,
  { id, month, statement }: { id: GroupId; month: Month; statement: MonthStatement },
): Readable {
  const { language } = caller;
  const text = (key: Parameters<typeof say>[1], widthCharacters: number, of: (row: Row) => string | null) =>
    ({ head: say(language, key), widthCharacters, cell: (row) => ({ text: of(row) }) }) satisfies FileColumn<Row>;
  const columns: FileColumn<Row>[] = [
    { head: say(language, 'group-statement.at'), widthCharacters: 20, cell: ({ at }) => ({ at }) },
    text('group-statement.line', 26, ({ title }) => title),
    {
      head: say(language, 'group-statement.amount'),
      widthCharacters: 14,
      cell: ({ amountFen }) => ({ fen: amountFen }),
    },
    text('group-statement.wallet', 14, ({ wallet }) => wallet),
    text('groupMembers.name', 16, ({ name }) => name),
    text('groupMembers.phone', 16, ({ phone }) => phone),
    text('group-statement.number', 26, ({ number }) => number),
    text('groups.remark', 30, ({ remark }) => remark),
  ];
  return xlsxStream(say(language, 'group-statement.sheet'), columns, batches());

  async function* batches(): AsyncGenerator<Row[]> {
    yield statementAmounts(statement).map(({ title, amountFen }) => ({
      ...blank,
      title: say(language, title),
      amountFen,
    }));
    yield statement.members.map(({ name, phone, chargedFen, charges }) => ({
      ...blank,
      title: say(language, 'group-statement.memberCharged', { count: charges }),
      name,
      phone,
      amountFen: chargedFen,
    }));
    const isWhole = seesPersonal(caller);
    for (let after = 0; ; ) {
      const rows = await movementsAfter(db, id, month, after);
      yield rows.map((row) => rowOf(row, language, isWhole));
      const last = rows.at(-1);
      if (last === undefined || rows.length < rowsAtOnce) return;
      after = last.id;
    }
  }
}

type MovementRow = {
  id: MovementId;
  at: Instant;
  type: MovementType;
  number: string;
  amountFen: Fen;
  isPot: boolean;
  remark: string;
  name: string | null;
  phone: string | null;
};

async function movementsAfter(
  db: Kysely<Tables>,
  id: GroupId,
  { from, to }: Month,
  after: number,
): Promise<MovementRow[]> {
  const { rows } = await sql<MovementRow>`
    select m.id, m.created_at as at, m.type, m.number, m.paid_fen + m.gift_fen as "amountFen",
           m.member_id is not null as "isPot", m.remark, g.name, g.phone
      from movements m
      left join orders o on o.id = m.order_id
      left join group_members g on g.id = coalesce(m.member_id, o.group_member_id)
     where ${movementsOf(id)} and m.id > ${after}
       and m.created_at >= to_timestamp(${from} / 1000.0) and m.created_at < to_timestamp(${to} / 1000.0)
     order by m.id limit ${rowsAtOnce}`.execute(db);
  return rows;
}

function rowOf({ type, isPot, phone, ...row }: MovementRow, language: Language, isWhole: boolean): Row {
  return {
    ...row,
    title: say(language, `movement-type.${type}`),
    wallet: say(language, isPot ? 'groupMembers.pot' : 'groups.balance'),
    phone: phone === null || isWhole ? phone : maskPhone(phone),
  };
}
