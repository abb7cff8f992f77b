import styles from './customers.module.css';

/** Stands in for a person's picture: the first character of the name. */
export function Avatar({ name, isLarge = false }: { name: string; isLarge?: boolean }) {
  const [first = '?'] = name.trim();
  return (
    <span className={isLarge ? styles.avatarLarge : styles.avatar} aria-hidden="true">
      {first.toUpperCase()}
    </span>
  );
}
