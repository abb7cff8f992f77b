import { daysUntilForecast } from '@voltdeck/charging/forecast/forecast-day';
import type { QueryOf } from '@voltdeck/contract/route';
import { type ForecastAnswer, getForecast } from '@voltdeck/contract/statistics';
import { addDays } from '@voltdeck/units/day';
import { Segmented, Skeleton } from 'antd';
import { Suspense, useMemo, useState } from 'react';
import { lazyPart } from '../api/lazy-part.ts';
import { useAnswer } from '../api/queries.ts';
import { phrase } from '../phrases.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { energyText, moneyText, percentText, powerText, yuanText } from '../ui/figures.ts';
import { hourText } from '../ui/instants.ts';
import { Panel } from '../ui/Panel.tsx';
import { ScrollRegion } from '../ui/ScrollRegion.tsx';
import { weekdayOfDay } from '../ui/weekday.ts';
import styles from './forecast.module.css';
import { boundsText, type ForecastDay, forecastChart, forecastHeightPx } from './forecast-chart.ts';

const Chart = lazyPart(() => import('../ui/Chart.tsx'));

/** What charges are expected to bring tomorrow, of a site or of all that a filter names, and how yesterday went. */
export default function ForecastPanel({ query }: { query: Partial<QueryOf<typeof getForecast>> }) {
  const [day, setDay] = useState<ForecastDay>('tomorrow');
  const [shown, setShown] = useState<'chart' | 'table'>('chart');
  const answer = useAnswer(getForecast, { query }, { keepPrevious: true });
  const has = answer.data?.[day].forecast != null;
  return (
    <Panel
      title={phrase('forecast.title')}
      note={answer.data === undefined ? undefined : dayText(answer.data[day])}
      tools={
        answer.data?.firstOn == null ? undefined : (
          <>
            <Segmented<ForecastDay>
              size="small"
              aria-label={phrase('forecast.whichDay')}
              value={day}
              onChange={setDay}
              options={(['tomorrow', 'yesterday'] as const).map((value) => ({
                value,
                label: phrase(`forecast.${value}`),
              }))}
            />{' '}
            {has ? (
              <Segmented
                size="small"
                aria-label={phrase('forecast.view')}
                value={shown}
                onChange={setShown}
                options={[
                  { value: 'chart', label: phrase('forecast.asChart') },
                  { value: 'table', label: phrase('forecast.asTable') },
                ]}
              />
            ) : null}
          </>
        )
      }
    >
      {answer.isPending ? (
        <Skeleton active paragraph={{ rows: 5 }} />
      ) : answer.data === undefined ? (
        <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
      ) : (
        <ForecastBody answer={answer.data} day={day} shown={shown} />
      )}
    </Panel>
  );
}

function ForecastBody({ answer, day, shown }: { answer: ForecastAnswer; day: ForecastDay; shown: 'chart' | 'table' }) {
  const { forecast } = answer[day];
  const actual = day === 'yesterday' ? answer.yesterday.actual : null;
  const option = useMemo(() => (forecast === null ? null : forecastChart(forecast, actual)), [forecast, actual]);
  if (forecast === null || option === null) {
    return (
      <EmptyState
        title={phrase('forecast.tooLittle')}
        text={
          answer.firstOn === null
            ? phrase('forecast.noHistory')
            : phrase('forecast.since', { day: answer.firstOn, ready: addDays(answer.firstOn, daysUntilForecast) })
        }
      />
    );
  }
  return (
    <div className={styles.forecast}>
      <dl className={styles.figures}>
        <Figure
          name={phrase('forecast.energy')}
          expected={`${energyText(forecast.energyWh.expected, 1)} kWh`}
          note={bandText(forecast.energyWh, (energyWh) => energyText(energyWh, 1))}
          actual={actual === null ? null : `${energyText(actual.energyWh, 1)} kWh`}
          errorE4={answer.yesterday.energyErrorE4}
        />
        <Figure
          name={phrase('forecast.income')}
          expected={moneyText(forecast.receivableFen.expected)}
          note={bandText(forecast.receivableFen, yuanText)}
          actual={actual === null ? null : moneyText(actual.receivableFen)}
          errorE4={answer.yesterday.receivableErrorE4}
        />
      </dl>
      {shown === 'chart' ? (
        <Suspense fallback={<div style={{ height: forecastHeightPx }} />}>
          <Chart option={option} heightPx={forecastHeightPx} label={phrase('forecast.chartLabel')} />
        </Suspense>
      ) : (
        <ForecastTable answer={answer} day={day} />
      )}
      {answer[day].isCalendarKnown ? null : (
        <p className={styles.method}>{phrase('forecast.noCalendar', { year: answer[day].day.slice(0, 4) })}</p>
      )}
      <details className={styles.method}>
        <summary>{phrase('forecast.howMade')}</summary>
        <p>{phrase('forecast.method')}</p>
        <p>{phrase('forecast.methodBand')}</p>
        <p>{phrase('forecast.methodHolidays')}</p>
        <p>{phrase('forecast.methodHours')}</p>
      </details>
    </div>
  );
}

type Bounds = { expected: number; low: number; high: number };
const bandText = ({ low, high }: Bounds, textOf: (value: number) => string) =>
  phrase('forecast.band', { low: textOf(low), high: textOf(high) });

function Figure(figure: {
  name: string;
  expected: string;
  note: string;
  actual: string | null;
  errorE4: number | null;
}) {
  const { name, expected, note, actual, errorE4 } = figure;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className={styles.expected}>{expected}</span>
        <span className={styles.note}>{note}</span>
        {actual === null ? null : (
          <span className={styles.note}>
            {errorE4 === null
              ? phrase('forecast.happened', { actual })
              : phrase('forecast.happenedBeside', { actual, error: signedPercent(errorE4) })}
          </span>
        )}
      </dd>
    </div>
  );
}

const signedPercent = (rateE4: number) => `${rateE4 > 0 ? '+' : ''}${percentText(rateE4 / 100, 1)}`;

function dayText({ day, dayKind }: ForecastAnswer['tomorrow']): string {
  const weekday = weekdayOfDay(day);
  return dayKind === 'ordinary' ? `${day} ${weekday}` : `${day} ${weekday} · ${phrase(`forecast.${dayKind}`)}`;
}

function ForecastTable({ answer, day }: { answer: ForecastAnswer; day: ForecastDay }) {
  const actual = day === 'yesterday' ? answer.yesterday.actual.hours : null;
  return (
    <ScrollRegion label={phrase('forecast.title')} className={styles.tableBox}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{phrase('forecast.hour')}</th>
            <th scope="col">{`${phrase('forecast.power')} (kW)`}</th>
            {actual === null ? null : <th scope="col">{`${phrase('forecast.actual')} (kW)`}</th>}
            <th scope="col">{`${phrase('forecast.income')} (${phrase('forecast.yuan')})`}</th>
            {actual === null ? null : (
              <th scope="col">{`${phrase('forecast.actual')} (${phrase('forecast.yuan')})`}</th>
            )}
          </tr>
        </thead>
        <tbody>
          {(answer[day].forecast?.hours ?? []).map(({ hour, powerW, receivableFen }) => (
            <tr key={hour}>
              <td>{hourText(hour)}</td>
              <td>{boundsText(powerW, powerText)}</td>
              {actual === null ? null : <td>{powerText(actual[hour]?.powerW ?? 0)}</td>}
              <td>{boundsText(receivableFen, yuanText)}</td>
              {actual === null ? null : <td>{yuanText(actual[hour]?.receivableFen ?? 0)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
