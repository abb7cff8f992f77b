import type { ScreenCharge } from '@voltdeck/contract/big-screen';
import { phrase } from '../phrases.ts';
import { energyText, moneyText } from '../ui/figures.ts';
import { ScreenPanel, type Told } from './ScreenPanel.tsx';
import { ScreenTickerLine } from './ScreenTickerLine.tsx';
import styles from './screen.module.css';

/** Charges as they begin and end, the newest first. The answer has a bounded number of them, and so has the page. */
export function ScreenCharges({ charges, told }: { charges: readonly ScreenCharge[] | undefined; told: Told }) {
  return (
    <ScreenPanel title={phrase('screen.charges')} told={told} isGrowing>
      {charges?.length === 0 ? (
        <p className={styles.nobody}>{phrase('screen.nobody')}</p>
      ) : (
        <ol className={styles.ticker}>
          {charges?.map(({ orderId, kind, receivableFen, energyWh, ...charge }) => (
            <ScreenTickerLine
              key={`${orderId} ${kind}`}
              {...charge}
              tone={kind === 'began' ? 'charging' : 'free'}
              sign={phrase(`screen.${kind}`)}
            >
              {kind === 'began' ? null : <span className="figure">{moneyText(receivableFen)}</span>}
              <small className="figure">{energyText(energyWh)} kWh</small>
            </ScreenTickerLine>
          ))}
        </ol>
      )}
    </ScreenPanel>
  );
}
