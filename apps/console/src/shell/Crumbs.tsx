import { Link } from 'react-router';
import { phrase } from '../phrases.ts';
import { trailTo } from '../session/menus.ts';
import { useSession } from '../session/session.ts';
import { useFramePlace } from './frame-place.ts';
import styles from './top-bar.module.css';
import { useTitleOf } from './use-title-of.ts';

type Crumb = { title: string; path: string | null };

/** The trail to the current page; on a narrow window only its last part. */
export function Crumbs({ isNarrow }: { isNarrow: boolean }) {
  const { menus } = useSession();
  const { path, activeKey, menuPath } = useFramePlace();
  const title = useTitleOf()({ key: activeKey, path });
  const crumbs: Crumb[] = trailTo(menus, menuPath).map((menu) => ({ title: menu.name, path: menu.frontendUrl }));
  if (menuPath !== path || crumbs.length === 0) crumbs.push({ title, path: null });
  // "Files / Files" says no more than "Files".
  const told = crumbs.filter(({ title, path }, index) => path !== null || title !== crumbs[index + 1]?.title);
  const shown = isNarrow ? told.slice(-1) : told;
  return (
    <nav className={styles.crumbs} aria-label={phrase('shell.breadcrumbs')}>
      <ol>
        {shown.map((crumb, index) => {
          const isLast = index === shown.length - 1;
          return (
            <li key={`${crumb.title} ${crumb.path}`} aria-current={isLast ? 'page' : undefined}>
              {crumb.path === null || isLast ? crumb.title : <Link to={crumb.path}>{crumb.title}</Link>}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
