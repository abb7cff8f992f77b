-- Making the pieces of a text takes as long as some thousand comparisons. PostgreSQL has to know, or it makes those of
-- every record where the index or the text itself would tell sooner.
alter function text_pieces(text, integer) cost 2000;

-- An agent's stations and ports in the order of their lists. Without these the few of a small agent are looked for
-- among all stations in that order.
create index stations_of_agent on stations (agent_id, created_at desc, id desc);
create index stations_of_agent_by_number on stations (agent_id, number);
drop index stations_agent;
