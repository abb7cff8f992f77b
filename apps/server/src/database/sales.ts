import { type RawBuilder, sql } from 'kysely';

/** The condition of `isSale` as text. */
export const saleText = `orders.state = 'completed' and orders.start_mode <> 'test'`;

/** Whether an order in `orders` counts as a sale where figures go by the end of a charge. Test runs are none. */
export const isSale: RawBuilder<boolean> = sql.raw(saleText);
