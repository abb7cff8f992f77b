-- The orders and recharges of groups are a view of records that these positions read already.
update positions set menu_codes = array_append(menu_codes, 'groupOrderList')
 where 'orderListHistory' = any (menu_codes) and not 'groupOrderList' = any (menu_codes);
update positions set menu_codes = array_append(menu_codes, 'groupRechargeList')
 where 'chongzhiRecods' = any (menu_codes) and not 'groupRechargeList' = any (menu_codes);
