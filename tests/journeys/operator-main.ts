import { dice } from './dice.ts';
import type { BookEntry } from './operator.ts';
import { openBook } from './operator-book.ts';
import { serveOperator, settingsOfProcess } from './operator-link.ts';

/**
 * The other operator, whose customers charge at our stations, as a process of its own. An order is in its book, on the
 * disk, before it is confirmed.
 */
const settings = settingsOfProcess();
const book = openBook<BookEntry>(settings.bookPath);
const known = new Set(book.kept.map(({ sequence }) => sequence));

serveOperator(settings, dice(settings.seed), (name, asked) => {
  switch (name) {
    case 'notification_charge_order_info': {
      const sequence = String(asked.StartChargeSeq);
      book.enter({ sequence, isNew: !known.has(sequence), message: asked });
      known.add(sequence);
      return { StartChargeSeq: asked.StartChargeSeq, ConnectorID: asked.ConnectorID, ConfirmResult: 0 };
    }
    case 'check_charge_orders': {
      const { CheckOrderSeq, StartTime, EndTime } = asked;
      const none = { TotalDisputeOrder: 0, TotalDisputePower: 0, TotalDisputeMoney: 0, DisputeOrders: [] };
      return { CheckOrderSeq, StartTime, EndTime, ...none };
    }
    case 'notification_stationStatus':
      return { Status: 0 };
    default:
      return { StartChargeSeq: asked.StartChargeSeq, SuccStat: 0, FailReason: 0 };
  }
});
