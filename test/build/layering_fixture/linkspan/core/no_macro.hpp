namespace linkspan::inline LINKSPAN_ABI {}
