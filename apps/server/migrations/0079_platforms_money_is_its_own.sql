-- Acts that wait and spend the platform's money are decided by its people, whoever owns the card.
update approvals
   set agent_id = null
 where state = 'waiting' and agent_id is not null
   and (kind = 'recharge' and detail #> '{caller,agents}' = '"all"'
        or kind = 'recharge_refund'
           and (detail ->> 'rechargeId')::bigint in (select id from recharges where agent_id is null));
