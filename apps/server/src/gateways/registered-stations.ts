import type { Protocol } from '@voltdeck/charging/states';
import type { Instant } from '@voltdeck/units/instant';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { SignInRecord } from './ocpp-sign-in.ts';
import type { RegisteredStation } from './station-presence.ts';

export type StationRow = RegisteredStation & SignInRecord & { protocol: Protocol; bootedAt: Instant | null };

/** Look-ups per statement. */
const numbersAtOnce = 256;

type Waiting = { number: string; settle(row: StationRow | null): void; fail(error: unknown): void };

/**
 * Finds stations by number. Those that arrive while a statement runs share the next one, so a storm of reconnects or
 * strangers is a few statements.
 */
export class RegisteredStations {
  readonly #db: Context['database']['db'];
  #waiting: Waiting[] = [];
  #isReading = false;

  constructor(db: Context['database']['db']) {
    this.#db = db;
  }

  /** Null where nobody registered this number. @throws the database's error. */
  find(number: string): Promise<StationRow | null> {
    return new Promise((settle, fail) => {
      this.#waiting.push({ number, settle, fail });
      if (!this.#isReading) void this.#readAll();
    });
  }

  /** Numbers that have signed in, the latest first. */
  async seenBefore(protocol: Protocol, max: number): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('stations')
      .select('number')
      .where('protocol', '=', protocol)
      .where('last_seen_at', 'is not', null)
      .orderBy('last_seen_at', 'desc')
      .limit(max)
      .execute();
    return rows.map(({ number }) => number);
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0, numbersAtOnce);
      try {
        const rows = await this.#read(asked.map(({ number }) => number));
        const byNumber = new Map(rows.map((row) => [row.number, row]));
        for (const { number, settle } of asked) settle(byNumber.get(number) ?? null);
      } catch (error) {
        for (const { fail } of asked) fail(error);
      }
    }
    this.#isReading = false;
  }

  async #read(numbers: readonly string[]): Promise<StationRow[]> {
    return this.#db
      .selectFrom('stations')
      .select(['id', 'number', 'protocol', 'site_id as siteId', 'agent_id as agentId', 'booted_at as bootedAt'])
      .select(['sign_in as signIn', 'sign_in_networks as signInNetworks'])
      .select(['password_hash as passwordHash', 'next_password_hash as nextPasswordHash'])
      .where(sql<boolean>`number = any(${numbers}::text[])`)
      .execute();
  }
}
