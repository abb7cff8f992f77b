import { secondMs } from '@voltdeck/units/instant';
import type { PileMessage } from '@voltdeck/ykc/messages/all';
import type { Reconnection } from '../reconnection.ts';
import type { Cancel } from '../timer-queue.ts';
import type { PileBoard } from './pile-board.ts';
import type { PileLink } from './pile-link.ts';
import { pileTimes } from './pile-options.ts';

/** A pile's login and heartbeats. */
export class PileSession {
  readonly #pile: PileBoard;
  readonly #link: PileLink;
  readonly #reconnection: Reconnection;
  readonly #identity: () => { softwareVersion: string; sim: string };
  readonly #accepted: () => void;
  #signedIn = false;
  #heartbeatsMissed = 0;
  #cancelHeartbeat: Cancel = () => {};

  /** `accepted` is called when a login was accepted. */
  constructor(
    pile: PileBoard,
    parts: {
      link: PileLink;
      reconnection: Reconnection;
      identity: () => { softwareVersion: string; sim: string };
      accepted: () => void;
    },
  ) {
    this.#pile = pile;
    this.#link = parts.link;
    this.#reconnection = parts.reconnection;
    this.#identity = parts.identity;
    this.#accepted = parts.accepted;
  }

  get isSignedIn(): boolean {
    return this.#link.isOpen && this.#signedIn;
  }

  begin(): void {
    this.#heartbeatsMissed = 0;
    this.#login();
  }

  end(): void {
    this.#signedIn = false;
    this.#cancelHeartbeat();
  }

  #login(): void {
    const login: PileMessage = {
      kind: 'login',
      pileNo: this.#pile.number,
      pileType: this.#pile.kind === 'dc' ? 0 : 1,
      gunCount: this.#pile.guns.length,
      protoVersion: 16,
      softwareVersion: this.#identity().softwareVersion.slice(0, 8),
      netType: 0,
      sim: this.#identity().sim,
      carrier: 0,
    };
    void this.#pile.ask(login, 'login-answer').then((answer) => {
      if (!this.#link.isOpen || !this.#pile.power.isOn || this.#signedIn) return;
      const isAccepted = answer?.kind === 'login-answer' && answer.result === 0;
      this.#pile.news.tell(() => ({
        kind: 'boot-answered',
        decision: answer === null ? 'no answer' : isAccepted ? 'Accepted' : 'Rejected',
        heartbeatSeconds: pileTimes.heartbeatMs / secondMs,
      }));
      if (!isAccepted) {
        // The platform closes the socket after a refusal; in case it does not, retry.
        this.#reconnection.later(() => {
          if (this.#link.isOpen && !this.#signedIn) this.#login();
        });
        return;
      }
      this.#signedIn = true;
      this.#reconnection.succeeded();
      this.scheduleHeartbeat();
      this.#accepted();
    });
  }

  scheduleHeartbeat(): void {
    this.#cancelHeartbeat();
    if (this.#pile.faults.silent || !this.isSignedIn) return;
    this.#cancelHeartbeat = this.#pile.power.timers.after(pileTimes.heartbeatMs, () => {
      if (this.#heartbeatsMissed >= pileTimes.heartbeatsMissedMax) {
        this.#link.drop();
        return;
      }
      this.#heartbeatsMissed += 1;
      for (const { number, fault } of this.#pile.guns) {
        const heartbeat: PileMessage = {
          kind: 'heartbeat',
          pileNo: this.#pile.number,
          gunNo: number,
          gunState: fault === null ? 0 : 1,
        };
        void this.#pile.ask(heartbeat, `heartbeat-answer/${number}`).then((answer) => {
          if (answer !== null) this.#heartbeatsMissed = 0;
        });
      }
      this.scheduleHeartbeat();
    });
  }
}
