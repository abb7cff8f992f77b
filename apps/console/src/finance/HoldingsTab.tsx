import { ArrowLeftOutlined } from '@ant-design/icons';
import {
  getHoldings,
  type HoldingRow,
  type HoldingSide,
  holdingNames,
  holdingSides,
  listHoldingAccounts,
} from '@voltdeck/contract/holdings';
import type { AnswerOf } from '@voltdeck/contract/route';
import { instant, parseShanghaiDate, shanghaiDate, toIso } from '@voltdeck/units/instant';
import { addFen, type Fen, fen } from '@voltdeck/units/money';
import { Button, DatePicker, Skeleton } from 'antd';
import dayjs from 'dayjs';
import { useSearchParams } from 'react-router';
import { useAnswer } from '../api/queries.ts';
import { ownerPlace, ownerText } from '../books/party-words.ts';
import { type PhraseKey, phrase } from '../phrases.ts';
import { place } from '../session/place.ts';
import { ScreenLink } from '../session/ScreenLink.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { moneyText, nothingText, yuanText } from '../ui/figures.ts';
import { Instant } from '../ui/Instant.tsx';
import { ListPage } from '../ui/ListPage.tsx';
import type { Filters, ListPageProps } from '../ui/list-page.ts';
import { Panel } from '../ui/Panel.tsx';
import { StateTag } from '../ui/StateTag.tsx';
import { useAddress } from '../ui/use-address.ts';
import styles from './finance.module.css';
import { endOfDay } from './period-end.ts';

type Answer = AnswerOf<typeof getHoldings>;

const notes: Readonly<Record<HoldingSide, PhraseKey>> = {
  owed: 'finance.owedNote',
  held: 'finance.heldNote',
  own: 'finance.ownNote',
};

/** A day of the past in an address; undefined for today and for what is no day. */
function dayIn(search: URLSearchParams): string | undefined {
  const day = search.get('day') ?? '';
  return parseShanghaiDate(day) === null || day >= today() ? undefined : day;
}
const today = () => shanghaiDate(instant(Date.now()));

/** What the platform owes and what it holds, now or at the end of a day, row by row with the accounts behind it. */
export default function HoldingsTab() {
  const [search] = useSearchParams();
  return search.get('view') === 'accounts' ? <AccountList day={dayIn(search)} /> : <Overview day={dayIn(search)} />;
}

function Overview({ day }: { day: string | undefined }) {
  const [, setSearch] = useAddress();
  const answer = useAnswer(getHoldings, { query: day === undefined ? {} : { day } }, { keepPrevious: true });
  return (
    <div className={styles.holdings}>
      <h1 className="for-readers">{phrase('finance.holdings')}</h1>
      <div className={styles.head}>
        <DatePicker
          aria-label={phrase('finance.choosesDay')}
          placeholder={phrase('finance.dayNow')}
          value={day === undefined ? null : dayjs(day)}
          disabledDate={(date) => date.format('YYYY-MM-DD') > today()}
          onChange={(date) =>
            setSearch({ tab: 'holdings', ...(date === null ? {} : { day: date.format('YYYY-MM-DD') }) })
          }
        />
        {answer.data === undefined ? null : (
          <p className={styles.note}>
            {answer.data.until === null ? (
              phrase('finance.dayEnd', { day: answer.data.day })
            ) : (
              <>
                {phrase('finance.dayNow')} · <Instant at={answer.data.until} />
              </>
            )}
          </p>
        )}
      </div>
      {answer.isPending ? (
        <Skeleton active paragraph={{ rows: 8 }} />
      ) : answer.data === undefined ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : (
        <Sides answer={answer.data} day={day} />
      )}
    </div>
  );
}

function Sides({ answer, day }: { answer: Answer; day: string | undefined }) {
  const { owedFen, heldFen, ownFen, differenceFen, openCouponsFen } = answer;
  return (
    <>
      <dl className={styles.sums}>
        <Sum label="finance.owed" amountFen={owedFen} />
        <Sum label="finance.held" amountFen={heldFen} />
        <div className={styles.sum}>
          <dt>{phrase('finance.own')}</dt>
          <dd className={styles.amount}>{moneyText(fen(heldFen - owedFen))}</dd>
          <dd>
            <StateTag tone={differenceFen === 0 ? 'free' : 'fault'}>
              {differenceFen === 0
                ? phrase('finance.agrees')
                : phrase('finance.disagrees', { amount: moneyText(differenceFen) })}
            </StateTag>
          </dd>
        </div>
      </dl>
      <div className={styles.sides}>
        {holdingSides.map((side) => (
          <Side
            key={side}
            side={side}
            answer={answer}
            day={day}
            totalFen={side === 'owed' ? owedFen : side === 'held' ? heldFen : ownFen}
          />
        ))}
      </div>
      {openCouponsFen === 0 ? null : (
        <p className={styles.note}>{phrase('finance.openCoupons', { amount: moneyText(openCouponsFen) })}</p>
      )}
    </>
  );
}

function Sum({ label, amountFen }: { label: PhraseKey; amountFen: Fen }) {
  return (
    <div className={styles.sum}>
      <dt>{phrase(label)}</dt>
      <dd className={styles.amount}>{moneyText(amountFen)}</dd>
    </div>
  );
}

type SideProps = { side: HoldingSide; answer: Answer; day: string | undefined; totalFen: Fen };

function Side({ side, answer, day, totalFen }: SideProps) {
  const rows = answer.rows.filter((row) => row.side === side);
  return (
    <Panel title={phrase(`holding-side.${side}`)}>
      <p className={styles.note}>{phrase(notes[side])}</p>
      <table className={styles.table} aria-label={phrase(`holding-side.${side}`)}>
        <tbody>
          {rows.map((row) => (
            <Row key={row.holding} row={row} answer={answer} day={day} />
          ))}
          <tr className={styles.total}>
            <th scope="row">{phrase('books.allKinds')}</th>
            <td>{yuanText(totalFen)}</td>
          </tr>
        </tbody>
      </table>
    </Panel>
  );
}

function Row({ row, answer, day }: { row: HoldingRow; answer: Answer; day: string | undefined }) {
  const { holding, amountFen } = row;
  return (
    <>
      <tr>
        <th scope="row">
          <ScreenLink
            screen="financeList"
            query={{ tab: 'holdings', view: 'accounts', holding: [holding], ...(day === undefined ? {} : { day }) }}
          >
            {phrase(`holding.${holding}`)}
          </ScreenLink>
        </th>
        <td>{yuanText(amountFen)}</td>
      </tr>
      {holding === 'channels' ? <Places answer={answer} /> : null}
    </>
  );
}

/** What of the cash has yet to arrive. */
function Places({ answer: { channels } }: { answer: Answer }) {
  const sumOf = (place: Answer['channels'][number]['place']) =>
    addFen(fen(0), ...channels.filter((each) => each.place === place).map(({ amountFen }) => amountFen));
  return (['on_its_way', 'cash'] as const).map((place) => (
    <tr key={place} className={styles.part}>
      <th scope="row">{phrase(`cash-place.${place}`)}</th>
      <td>{yuanText(sumOf(place))}</td>
    </tr>
  ));
}

const filters: Filters<typeof listHoldingAccounts> = { holding: { words: 'holding', values: holdingNames } };

const look: ListPageProps<typeof listHoldingAccounts>['look'] = {
  key: { widthPx: 232, isPinned: true, link: ({ key }) => place('ledgerList', { account: key }) },
  holding: { widthPx: 200 },
  kind: { widthPx: 160 },
  owner: { widthPx: 200, text: (account) => ownerText(account) ?? nothingText, link: ownerPlace },
  balanceFen: { isKeyFact: true },
};

function AccountList({ day }: { day: string | undefined }) {
  const [, setSearch] = useAddress();
  const end = day === undefined ? null : parseShanghaiDate(day);
  const at = day === undefined ? phrase('finance.dayNow') : phrase('finance.dayEnd', { day });
  return (
    <ListPage
      key={day ?? 'now'}
      list={listHoldingAccounts}
      title="finance.accountsTitle"
      record="finance.accountRecord"
      // The day is no filter: a report is about the end of its own period.
      name={listHoldingAccounts.path}
      fixed={end === null ? {} : { to: toIso(endOfDay(end)) }}
      filters={filters}
      look={look}
      before={() => <p className={styles.note}>{at}</p>}
      tools={
        <Button
          icon={<ArrowLeftOutlined />}
          onClick={() => setSearch({ tab: 'holdings', ...(day === undefined ? {} : { day }) })}
        >
          {phrase('finance.backToHoldings')}
        </Button>
      }
      empty={{ title: 'finance.accountsEmpty', text: 'finance.accountsEmptyText' }}
    />
  );
}
