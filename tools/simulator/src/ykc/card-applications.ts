import { instant, shanghaiDateTime } from '@voltdeck/units/instant';
import type { PileMessage } from '@voltdeck/ykc/messages/all';
import { applicationRefusal } from '@voltdeck/ykc/messages/charging';
import { meaningOf } from '@voltdeck/ykc/messages/field';
import type { SwipeOutcome } from '../charging-station.ts';
import type { Gun } from './gun.ts';
import type { Authorized, PileBoard } from './pile-board.ts';
import type { PileCharges } from './pile-charges.ts';

/** Ways to request a charge at a pile: by card at one gun or at all of them, or by the vehicle's VIN. */
export class CardApplications {
  readonly #pile: PileBoard;
  readonly #charges: PileCharges;
  #ownTrades = 0;

  constructor(pile: PileBoard, charges: PileCharges) {
    this.#pile = pile;
    this.#charges = charges;
  }

  /** One card, one vehicle, both guns (1.6): none starts unless the platform accepts all. */
  async applyForAll(card: string): Promise<SwipeOutcome> {
    const guns = this.#pile.guns;
    const isReady = this.#pile.isSignedIn && guns.every((gun) => gun.isFree && gun.vehicle !== null);
    if (!isReady || guns.length < 2 || this.#pile.refusal() !== null) return 'refused';
    const parallelNo = this.#digitsOfNow();
    const answers = await Promise.all(
      guns.map(async (gun, index) => {
        const application = this.#application(gun, { startMode: 1, card: chipNumber(card) });
        const answer = await this.#pile.ask(
          { ...application, kind: 'parallel-charge-application', masterFlag: index === 0 ? 0 : 1, parallelNo },
          `parallel-charge-application-answer/${gun.number}`,
        );
        return answer?.kind === 'parallel-charge-application-answer' ? answer : null;
      }),
    );
    const isAllowed = answers.every((answer) => answer?.authOk === 1);
    for (const [index, gun] of guns.entries()) {
      const answer = answers[index] ?? null;
      this.#pile.news.tell(() => ({
        kind: 'card-answered',
        connectorNumber: gun.number,
        card,
        status: answer === null ? 'Offline' : answer.authOk === 1 ? 'Accepted' : refusalOf(answer.failReason),
      }));
      if (answer?.authOk !== 1) continue;
      const authorized: Authorized = {
        tradeNo: answer.tradeNo,
        card: chipNumber(card),
        balanceFen: answer.balance,
        startedBy: 'card',
      };
      if (isAllowed) this.#charges.start(gun, authorized);
      else this.#charges.fail(gun, authorized, 'start-charger-not-ready');
    }
    return isAllowed ? 'started' : 'refused';
  }

  #application(gun: Gun, by: { startMode: 1 | 3; card: string }) {
    return {
      pileNo: this.#pile.number,
      gunNo: gun.number,
      startMode: by.startMode,
      needPassword: 0,
      account: by.card,
      password: '0'.repeat(32),
      vin: by.startMode === 3 ? gun.vin : '',
    };
  }

  /** Requests a charge for a card or vehicle; offline, the whitelist decides about cards. */
  async apply(gun: Gun, by: { startMode: 1 | 3; card: string }): Promise<SwipeOutcome> {
    if (!this.#pile.isSignedIn) {
      if (by.startMode !== 1 || !this.#pile.offlineCards.has(by.card)) return 'refused';
      const tradeNo = this.#ownTradeNo(gun);
      this.#charges.start(gun, { tradeNo, card: by.card, balanceFen: null, startedBy: 'offline-card' });
      return 'started';
    }
    gun.applying = true;
    this.#pile.refresh(gun);
    const application: PileMessage = { kind: 'charge-application', ...this.#application(gun, by) };
    const answer = await this.#pile.ask(application, `charge-application-answer/${gun.number}`);
    gun.applying = false;
    const told = answer?.kind === 'charge-application-answer' ? answer : null;
    const status = told === null ? 'Offline' : told.authOk === 1 ? 'Accepted' : refusalOf(told.failReason);
    const named = by.startMode === 1 ? by.card : gun.vin;
    this.#pile.news.tell(() => ({ kind: 'card-answered', connectorNumber: gun.number, card: named, status }));
    this.#pile.refresh(gun);
    if (told?.authOk !== 1) return 'refused';
    const startedBy = by.startMode === 1 ? 'card' : 'vin';
    const authorized: Authorized = { tradeNo: told.tradeNo, card: by.card, balanceFen: told.balance, startedBy };
    if (!this.#pile.power.isOn || gun.vehicle === null || !gun.isFree) {
      this.#charges.fail(gun, authorized, 'start-pilot-open');
      return 'refused';
    }
    return this.#charges.start(gun, authorized) ? 'started' : 'refused';
  }

  /** yyMMddHHmmss of the station's clock. */
  #digitsOfNow(): string {
    return shanghaiDateTime(instant(Math.round(this.#pile.stationTime())))
      .replaceAll(/\D/g, '')
      .slice(2, 14);
  }

  /** Made by the platform's rule (section 2.6) while offline. */
  #ownTradeNo(gun: Gun): string {
    this.#ownTrades = (this.#ownTrades + 1) % 10_000;
    const counted = String(this.#ownTrades).padStart(4, '0');
    return `${this.#pile.number}${String(gun.number).padStart(2, '0')}${this.#digitsOfNow()}${counted}`;
  }
}

function refusalOf(code: number): string {
  return meaningOf(applicationRefusal, code) ?? `refused ${code}`;
}

/** 16 upper-case hexadecimal digits, left-padded with zeros. */
export function chipNumber(card: string): string {
  return card.toUpperCase().padStart(16, '0');
}
