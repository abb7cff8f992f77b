import { Button, Checkbox, Input, Tooltip } from 'antd';
import { useId, useState } from 'react';
import { phrase } from '../../phrases.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import styles from './grant-tree.module.css';
import { countOf, filteredTree, type GrantNode, withBranch, withGrant } from './grants.ts';

type Props = {
  tree: readonly GrantNode[];
  /** Set by the form: codes of screens and buttons. */
  value?: readonly string[];
  onChange?: (codes: string[]) => void;
};

/** Menus and buttons to grant: a block per group, a line per screen with its buttons. */
export function GrantTree({ tree, value = [], onChange }: Props) {
  const [text, setText] = useState('');
  const granted = new Set(value);
  const shown = filteredTree(tree, text);
  const count = countOf(tree, granted);
  const change = (next: ReadonlySet<string>) => onChange?.([...next]);
  const branch = (nodes: readonly GrantNode[], isOn: boolean) => change(withBranch(granted, nodes, isOn));
  const one = (code: string, isOn: boolean) => change(withGrant(granted, tree, code, isOn));
  const isLacking = tree.some(hasLacking);
  return (
    <div className={styles.tree}>
      <div className={styles.bar}>
        <Input
          aria-label={phrase('positions.filter')}
          placeholder={phrase('positions.filter')}
          value={text}
          allowClear
          maxLength={32}
          onChange={(event) => setText(event.target.value)}
          // Enter in the filter must not submit the form.
          onPressEnter={(event) => event.preventDefault()}
        />
        <span className={styles.count} role="status">
          {phrase('positions.granted', count)}
        </span>
        <Button size="small" onClick={() => branch(shown, true)}>
          {phrase('positions.all')}
        </Button>
        <Button size="small" onClick={() => branch(shown, false)}>
          {phrase('positions.none')}
        </Button>
      </div>
      {isLacking ? <p className={styles.note}>{phrase('positions.lacksNote')}</p> : null}
      {shown.length === 0 ? (
        <EmptyState title={phrase('list.nothingFound')} />
      ) : (
        shown.map((node) => <Branch key={node.code} node={node} granted={granted} onBranch={branch} onOne={one} />)
      )}
    </div>
  );
}

function hasLacking(node: GrantNode): boolean {
  return node.lacks || node.children.some(hasLacking);
}

type BranchProps = {
  node: GrantNode;
  granted: ReadonlySet<string>;
  onBranch: (nodes: readonly GrantNode[], isOn: boolean) => void;
  onOne: (code: string, isOn: boolean) => void;
};

function Branch({ node, granted, onBranch, onOne }: BranchProps) {
  const headId = useId();
  if (node.kind !== 'group') return <Screen node={node} granted={granted} onBranch={onBranch} onOne={onOne} />;
  const count = countOf([node], granted);
  return (
    <fieldset className={styles.group} aria-labelledby={headId}>
      <div className={styles.groupHead}>
        <Checkbox
          checked={count.granted === count.total}
          indeterminate={count.granted > 0 && count.granted < count.total}
          disabled={node.lacks}
          onChange={(event) => onBranch([node], event.target.checked)}
        >
          <span id={headId} className={styles.groupName}>
            {node.name}
          </span>
        </Checkbox>
        <span className={`figure ${styles.count}`}>{phrase('positions.countOf', count)}</span>
      </div>
      {node.children.map((child) => (
        <Branch key={child.code} node={child} granted={granted} onBranch={onBranch} onOne={onOne} />
      ))}
    </fieldset>
  );
}

function Screen({ node, granted, onBranch, onOne }: BranchProps) {
  const buttons = node.children.filter(({ kind }) => kind === 'button');
  const screens = node.children.filter(({ kind }) => kind !== 'button');
  const isWhole = buttons.every(({ code, lacks }) => lacks || granted.has(code)) && granted.has(node.code);
  return (
    <>
      <div className={styles.screen}>
        <Grant node={node} granted={granted} onOne={onOne} />
        <div className={styles.buttons}>
          {buttons.map((button) => (
            <Grant key={button.code} node={button} granted={granted} onOne={onOne} />
          ))}
        </div>
        {buttons.length === 0 || buttons.every(({ lacks }) => lacks) ? null : (
          <Button
            type="link"
            size="small"
            aria-label={phrase(isWhole ? 'positions.noneOf' : 'positions.allOf', { name: node.name })}
            onClick={() => onBranch([node], !isWhole)}
          >
            {phrase(isWhole ? 'positions.none' : 'positions.all')}
          </Button>
        )}
      </div>
      {screens.map((child) => (
        <Branch key={child.code} node={child} granted={granted} onBranch={onBranch} onOne={onOne} />
      ))}
    </>
  );
}

function Grant({ node, granted, onOne }: Pick<BranchProps, 'node' | 'granted' | 'onOne'>) {
  const box = (
    <Checkbox
      className={node.kind === 'menu' ? styles.screenName : ''}
      checked={granted.has(node.code)}
      disabled={node.lacks}
      onChange={(event) => onOne(node.code, event.target.checked)}
    >
      {node.name}
      {node.enabled ? null : <span className={styles.off}> {phrase('positions.disabledMenu')}</span>}
    </Checkbox>
  );
  if (!node.lacks) return box;
  return (
    <Tooltip title={phrase('positions.lacks')}>
      <span className={styles.lacking}>{box}</span>
    </Tooltip>
  );
}
