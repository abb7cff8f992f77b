import { PictureOutlined } from '@ant-design/icons';
import type { UseQueryResult } from '@tanstack/react-query';
import { Button, Segmented, Tooltip } from 'antd';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { lazyPart } from '../api/lazy-part.ts';
import type { CallFailure } from '../api/refused.ts';
import { phrase } from '../phrases.ts';
import type { Place } from '../session/place.ts';
import { useMayGo } from '../session/use-go.ts';
import type { ChartColours } from '../ui/chart-colours.ts';
import type { EChartsCoreOption } from '../ui/chart-engine.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Panel } from '../ui/Panel.tsx';
import { saveFile } from '../ui/save-file.ts';
import { useTell } from '../ui/use-tell.ts';
import { FiguresTable } from './FiguresTable.tsx';
import type { FigureTable } from './figure-table.ts';
import { useInAlbum } from './picture-album.ts';
import styles from './statistics.module.css';

const Chart = lazyPart(() => import('../ui/Chart.tsx'));

/** What a panel shows of its answer; `empty` says in words why there is nothing to draw. */
export type Drawing = {
  option: (colours: ChartColours) => EChartsCoreOption;
  heightPx: number;
  /** What the chart shows, in a sentence. */
  label: string;
  table: FigureTable;
  empty?: string | null;
  /** Below the chart: what is left out of it, what is not counted yet. */
  remark?: string | null;
  /** The records behind a column, or behind a bar or a cell, for a click on it. */
  columnLeads?: (index: number) => Place | null;
  itemLeads?: (index: number) => Place | null;
};

type Props<Answer> = {
  title: string;
  /** How the figures are counted. */
  note: string;
  /** Its place in the picture of the page. */
  place: number;
  answer: Pick<UseQueryResult<Answer, CallFailure>, 'data' | 'error' | 'isPending' | 'isPlaceholderData' | 'refetch'>;
  /** Stable for the same answer. */
  draw: (answer: Answer) => Drawing;
  tools?: ReactNode;
  isWide?: boolean;
  /** The height before the answer is there. */
  heightPx: number;
};

const pictureWidthPx = 960;

/** A chart with the way its figures are counted, the same figures as a table, and its picture. */
export function FigurePanel<Answer>(props: Props<Answer>) {
  const { title, note, place, answer, draw, tools, isWide = false, heightPx } = props;
  const [shown, setShown] = useState<'chart' | 'table'>('chart');
  const tell = useTell();
  const navigate = useNavigate();
  const mayGo = useMayGo();
  const { data } = answer;
  const drawing = useMemo(() => (data === undefined ? null : draw(data)), [data, draw]);
  const isEmpty = drawing?.empty != null;
  const pictured = useMemo(
    () => (drawing === null || isEmpty ? null : { title, note, option: drawing.option, heightPx: drawing.heightPx }),
    [drawing, isEmpty, title, note],
  );
  useInAlbum(place, pictured);
  const go = (to: Place | null | undefined) => {
    if (to != null && mayGo(to.screen)) void navigate(to.address);
  };
  const save = async () => {
    if (pictured === null) return;
    try {
      const { picture } = await import('../ui/chart-picture.ts');
      const page = { title, lines: [], figures: [], charts: [pictured], widthPx: pictureWidthPx, columns: 1 };
      saveFile(await picture(page), `${title}.png`);
    } catch (failure) {
      tell(failure);
    }
  };
  return (
    <div className={isWide ? styles.wide : styles.cell}>
      <Panel
        title={title}
        flush
        tools={
          <>
            {tools}
            {pictured === null ? null : (
              <>
                <Segmented
                  size="small"
                  className={styles.screenOnly ?? ''}
                  aria-label={phrase('statistics.shownAs', { chart: title })}
                  value={shown}
                  onChange={setShown}
                  options={[
                    { value: 'chart', label: phrase('statistics.asChart') },
                    { value: 'table', label: phrase('statistics.asTable') },
                  ]}
                />
                <Tooltip title={phrase('statistics.savePicture')}>
                  <Button
                    size="small"
                    type="text"
                    className={styles.screenOnly ?? ''}
                    aria-label={phrase('statistics.savePictureOf', { chart: title })}
                    icon={<PictureOutlined />}
                    onClick={() => void save()}
                  />
                </Tooltip>
              </>
            )}
          </>
        }
      >
        <p className={styles.note}>{note}</p>
        {drawing === null ? (
          answer.isPending ? (
            <div className={styles.waiting} aria-busy="true" style={{ height: heightPx }} />
          ) : (
            <ErrorState failure={answer.error} retry={() => void answer.refetch()} />
          )
        ) : isEmpty ? (
          <p className={styles.nothing}>{drawing.empty}</p>
        ) : (
          <div className={styles.drawn} data-old={answer.isPlaceholderData} aria-busy={answer.isPlaceholderData}>
            {shown === 'table' ? (
              <FiguresTable table={drawing.table} label={title} />
            ) : (
              <Suspense fallback={<div className={styles.waiting} style={{ height: drawing.heightPx }} />}>
                <Chart
                  option={drawing.option}
                  heightPx={drawing.heightPx}
                  label={drawing.label}
                  onPick={(x) => go(drawing.columnLeads?.(x))}
                  onItem={(index) => go(drawing.itemLeads?.(index))}
                />
              </Suspense>
            )}
            {drawing.remark == null ? null : <p className={styles.remark}>{drawing.remark}</p>}
          </div>
        )}
      </Panel>
    </div>
  );
}
