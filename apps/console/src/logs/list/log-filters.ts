import { type Protocol, protocols } from '@voltdeck/charging/states';
import { exchangeDirections, type listInteractionLogs } from '@voltdeck/contract/logs';
import { phrase } from '../../phrases.ts';
import type { Choice, ListFilter } from '../../ui/list/list-view.ts';
import { typeName } from '../log-words.ts';
import { messageKinds } from '../message-kinds.ts';

function typeChoices(protocol: Protocol | undefined): Choice[] {
  return messageKinds
    .filter((type) => protocol === undefined || type.protocol === protocol)
    .map((type) => ({
      value: type.action,
      label: typeName(type) === type.action ? type.action : `${typeName(type)} ${type.action}`,
    }));
}

/** The filters of the log; `protocol` is that of the station when the log shows only one. */
export function logFilters(protocol: Protocol | undefined): ListFilter<typeof listInteractionLogs>[] {
  const filters: ListFilter<typeof listInteractionLogs>[] = [
    { kind: 'text', name: 'stationNumber', label: phrase('logs.station') },
    { kind: 'text', name: 'action', label: phrase('logs.message'), suggestions: typeChoices(protocol) },
    { kind: 'period', name: 'period', label: phrase('logs.at'), from: 'from', to: 'to', isFine: true },
    {
      kind: 'choice',
      name: 'direction',
      label: phrase('logs.direction'),
      single: true,
      choices: exchangeDirections.map((value) => ({
        value,
        label: phrase(value === 'from-station' ? 'logs.fromStation' : 'logs.toStation'),
      })),
    },
    {
      kind: 'choice',
      name: 'protocol',
      label: phrase('logs.protocol'),
      single: true,
      choices: protocols.map((value) => ({ value, label: phrase(`protocol.${value}`) })),
    },
    { kind: 'text', name: 'text', label: phrase('logs.text') },
  ];
  if (protocol === undefined) return filters;
  return filters.filter(({ name }) => name !== 'stationNumber' && name !== 'protocol');
}
