import { Button, type ButtonProps, Tooltip } from 'antd';

/**
 * A button that says why it cannot be pressed. It keeps its place in the focus order, so that the reason is reachable
 * by keyboard and read aloud; `because` undefined is an ordinary button.
 */
export function DisabledReason({ because, onClick, ...button }: ButtonProps & { because?: string | undefined }) {
  if (because === undefined) return <Button {...button} {...(onClick === undefined ? {} : { onClick })} />;
  return (
    <Tooltip title={because} trigger={['hover', 'focus', 'click']}>
      <Button
        {...button}
        aria-disabled
        className={`unavailable ${button.className ?? ''}`}
        aria-description={because}
      />
    </Tooltip>
  );
}
