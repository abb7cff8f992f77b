-- What a receipt's number says whatever its typing: without case, width, blanks, dashes and characters that do not show.
create function receipt_key(receipt text) returns text language sql immutable strict parallel safe as $$
  select lower(regexp_replace(normalize(receipt, NFKC), '['
    -- Unicode's formats (Cf).
    || '\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064'
    || '\u2066-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3'
    || '\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f'
    -- Its separators (Z), and what else is blank.
    || '\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u115f\u1160\ufe00-\ufe0f'
    -- Its dashes (Pd), and the minus sign.
    || '\u058a\u05be\u1400\u1806\u2010-\u2015\u2212\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d\u301c\u3030\u30a0'
    || '\ufe31\ufe32\ufe58\ufe63\uff0d\U00010d6e\U00010ead-]', '', 'g'))
$$;

-- One bank receipt proves one payment. Where one was recorded for several before, it is the first one's.
alter table agent_withdrawals add column receipt_key text;
update agent_withdrawals w set receipt_key = receipt_key(w.receipt)
 where w.id in (select distinct on (receipt_key(receipt)) id from agent_withdrawals
                 where way = 'bank' and receipt is not null order by receipt_key(receipt), paid_at, id);
drop index agent_withdrawals_receipt;
create unique index agent_withdrawals_receipt on agent_withdrawals (receipt_key);

alter table withdrawals add column receipt_key text;
update withdrawals w set receipt_key = receipt_key(w.receipt)
 where w.id in (select distinct on (receipt_key(receipt)) id from withdrawals
                 where way = 'bank' and receipt is not null order by receipt_key(receipt), processed_at, id);
create unique index withdrawals_receipt on withdrawals (receipt_key);
