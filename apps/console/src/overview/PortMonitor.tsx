import styles from './home.module.css';
import { LivePorts } from './LivePorts.tsx';
import { RegionTree } from './RegionTree.tsx';

type Props = {
  region: string | null;
  siteId: number | null;
  onRegion: (code: string | null) => void;
  /** With the region that the site was found in. */
  onSite: (id: number, region: string | null) => void;
};

/** Regions and sites as a tree, and beside it the ports of the chosen one, live. */
export default function PortMonitor(props: Props) {
  const { region, siteId } = props;
  return (
    <div className={styles.monitor}>
      <aside className={styles.panel}>
        <RegionTree {...props} />
      </aside>
      <div className={styles.wall}>
        <LivePorts key={`${region} ${siteId}`} region={region} siteId={siteId} />
      </div>
    </div>
  );
}
