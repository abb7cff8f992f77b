/**
 * Why the embedded PostgreSQL did not start. The message is one line for the operator and says what to do. `in_use`:
 * another running process uses the same DATA_DIR; `did_not_start`: the message ends with PostgreSQL's last log line.
 */
export type EmbeddedPostgresFailure =
  | 'no_user'
  | 'not_installed'
  | 'does_not_run'
  | 'data_dir'
  | 'in_use'
  | 'other_version'
  | 'did_not_start';

export class EmbeddedPostgresError extends Error {
  readonly failure: EmbeddedPostgresFailure;

  constructor(failure: EmbeddedPostgresFailure, message: string) {
    super(message);
    this.name = 'EmbeddedPostgresError';
    this.failure = failure;
  }
}
