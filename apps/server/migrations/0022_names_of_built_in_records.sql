-- What came with the product is called by a phrase, in the reader's language, until a person gives it a name.
alter table positions add column name_key text;
alter table users add column real_name_key text;
alter table configs add column name_key text, add column remark_key text;

update positions
   set name_key = case name when '平台运营' then 'position.platform'
                            when '代理商' then 'position.agent'
                            else 'position.registered' end
 where agent_id is null
   and (name, data_scope) in (('平台运营', 'platform'), ('代理商', 'agent_tree'), ('注册用户', 'self'));

update users set real_name_key = 'user.administrator' where admin and user_name = 'admin' and real_name = '系统管理员';

update configs
   set name_key = 'config.' || key
 where built_in
   and (key, name) in (('sys_title', '系统标题'), ('screen_url', '数据大屏地址'), ('debt_limit_fen', '欠费上限（分）'));

update configs
   set remark_key = 'config.' || key || '.remark'
 where built_in
   and (   key = 'sys_title' and remark like '登录页和浏览器标签%'
        or key = 'screen_url' and remark like '以 / 开头的本系统页面%'
        or key = 'debt_limit_fen' and remark like '欠费超过此金额%');
