import type { TaskKind } from '@voltdeck/contract/tasks';
import { runRehearsal } from '../rehearsals/run-rehearsal.ts';
import { runIdentities } from '../stations/identities/run-identities.ts';
import { runImport } from '../stations/imports/run-import.ts';
import { runLabelSheet } from '../stations/labels/run-label-sheet.ts';
import { commandStations } from './command-stations.ts';
import type { TaskWork } from './running-task.ts';
import { writeExport } from './write-export.ts';

/** How the tasks of each kind are carried out. */
export const taskWorks: { readonly [Kind in TaskKind]: TaskWork<Kind> } = {
  export: writeExport,
  'station-commands': commandStations,
  rehearsal: runRehearsal,
  'station-import': runImport,
  'label-sheet': runLabelSheet,
  'station-identities': runIdentities,
};
