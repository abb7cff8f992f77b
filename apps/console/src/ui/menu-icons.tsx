import { type ReactElement, useState } from 'react';
import { type IconName, iconPaths, isIconName } from './icon-paths.ts';

type Props = { name: IconName; className?: string };

/** The kit positions a menu's icon by the classes that it passes, and recognises icons by `anticon`. */
function MenuPicture({ name, className = '' }: Props) {
  return (
    <span className={`anticon ${className}`} aria-hidden="true">
      <svg
        viewBox="0 0 16 16"
        width="1em"
        height="1em"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.3"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d={iconPaths[name]} />
      </svg>
    </span>
  );
}

/** The icons that a menu may use. */
export const menuIcons: Readonly<Record<string, ReactElement>> = Object.fromEntries(
  Object.keys(iconPaths)
    .filter(isIconName)
    .map((name) => [name, <MenuPicture key={name} name={name} />]),
);

/** A menu's icon: one of ours by name, or the image behind a link. */
export function menuIcon(name: string | null): ReactElement {
  if (name !== null && /^https?:\/\//i.test(name)) return <LinkedPicture address={name} />;
  return <MenuPicture name={name !== null && isIconName(name) ? name : 'other'} />;
}

const sizePx = 16;

/** The content security policy allows images of this origin only; others fall back to our icon. */
function LinkedPicture({ address, className = '' }: { address: string; className?: string }) {
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return <MenuPicture name="other" className={className} />;
  return (
    <img
      className={`anticon ${className}`}
      src={address}
      alt=""
      width={sizePx}
      height={sizePx}
      referrerPolicy="no-referrer"
      onError={() => setFailed(true)}
    />
  );
}
