import { type Agent, type HandOverPreview, previewHandOver } from '@voltdeck/contract/agents';
import { useEffect, useState } from 'react';
import { call } from '../api/call.ts';
import { Refused } from '../api/refused.ts';
import { phrase } from '../phrases.ts';
import { countText } from '../ui/figures.ts';
import styles from './agents.module.css';

type Values = Readonly<Record<string, unknown>>;
type Props = { agent: Agent; values: Values; onPreview: (preview: HandOverPreview | null) => void };

/** Long enough to choose the next of several sites. */
const pauseMs = 400;

/** The parts of the form that decide what moves; null until they are complete. */
function wantedOf({ to, what, toAgentId, siteIds, stationIds }: Values): string | null {
  const named = { siteIds: (siteIds as unknown[]) ?? [], stationIds: (stationIds as unknown[]) ?? [] };
  if (what === 'chosen' && named.siteIds.length + named.stationIds.length === 0) return null;
  const chosen = what === 'chosen' ? named : { everything: true };
  if (to === 'platform') return JSON.stringify({ toAgentId: null, ...chosen });
  return typeof toAgentId === 'number' ? JSON.stringify({ toAgentId, ...chosen }) : null;
}

/** What moves, what stays and what cannot move, in numbers, while the form is being filled in. */
export function HandOverSummary({ agent, values, onPreview }: Props) {
  const wanted = wantedOf(values);
  const [told, setTold] = useState<{ of: string; preview: HandOverPreview | null; because: string | null } | null>(
    null,
  );
  useEffect(() => {
    onPreview(null);
    if (wanted === null) return;
    const question = new AbortController();
    const pause = setTimeout(async () => {
      try {
        const body = JSON.parse(wanted) as never;
        const preview = await call(previewHandOver, {
          params: { id: agent.id },
          body,
          signal: question.signal,
          quiet: true,
        });
        setTold({ of: wanted, preview, because: null });
        onPreview(preview);
      } catch (failure) {
        if (!(failure instanceof Refused)) return;
        setTold({ of: wanted, preview: null, because: failure.message });
        onPreview(null);
      }
    }, pauseMs);
    return () => {
      clearTimeout(pause);
      question.abort();
    };
  }, [wanted, agent.id, onPreview]);
  const shown = told !== null && told.of === wanted ? told : null;
  return (
    <div className={styles.preview} role="status">
      {shown === null ? (
        <p>{phrase('agents.handWaits')}</p>
      ) : shown.preview === null ? (
        <p>{shown.because}</p>
      ) : (
        <ul>
          {linesOf(agent.realName, shown.preview).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function linesOf(name: string, preview: HandOverPreview): string[] {
  const { sites, stations, ports, runningCharges: running, stationsOfOthers, withoutSite, refused } = preview;
  if (preview.refusedCount > 0) {
    const named = refused.map(({ number, ruleName }) => `${number} (${ruleName})`).join(phrase('list.comma'));
    const stations = refused.length < preview.refusedCount ? `${named}…` : named;
    return [phrase('agents.handRefused', { count: countText(preview.refusedCount), name, stations })];
  }
  return [
    phrase('agents.handMoves', { sites: countText(sites), stations: countText(stations), ports: countText(ports) }),
    phrase('agents.handStays', { name }),
    ...(running === 0 ? [] : [phrase('agents.handRunning', { running: countText(running), name })]),
    ...(stationsOfOthers === 0 ? [] : [phrase('agents.handOthers', { count: countText(stationsOfOthers) })]),
    ...(withoutSite === 0 ? [] : [phrase('agents.handWithoutSite', { count: countText(withoutSite) })]),
  ];
}
