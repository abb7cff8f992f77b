import { Button, type ButtonProps, Tooltip } from 'antd';

/**
 * A button that says why it is disabled. It stays focusable, so that the reason can be reached by keyboard and read
 * aloud. Without `because` it is an ordinary button.
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
